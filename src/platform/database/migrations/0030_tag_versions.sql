-- Counts the changes of a tag.
alter table tags add column version integer not null default 1;

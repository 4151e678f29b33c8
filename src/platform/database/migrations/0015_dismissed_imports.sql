-- The reason that a person or a key gave when they settled a refused import without retrying it, and who they were.
alter table imports add column dismissal json;

-- While contacts that have a renamed tag await their new version: its label before, and the revision of the account at the rename.
alter table tags add column renamed_from text;
alter table tags add column renamed_after timestamptz(3);
create index tags_renamed on tags (account_id) where renamed_from is not null;

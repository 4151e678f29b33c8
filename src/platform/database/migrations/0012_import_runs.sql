-- A run is one import of a file. Its id is on each of its records.
alter table imports add column run_id uuid;
-- The version of the contact right after the run wrote it: the contact has another one when something changed it later.
alter table imports add column contact_version integer;
-- The record of a later run that had the same row of the file again.
alter table imports add column settled_by uuid;
-- When the contact was removed because the run was undone.
alter table imports add column undone_at timestamptz(3);

create index imports_by_run on imports (account_id, run_id, id) where run_id is not null;
create index imports_settled on imports (account_id, settled_at) where settled_at is not null;

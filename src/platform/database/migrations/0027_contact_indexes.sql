-- Before this file runs, `prepareContactLists` in src/platform/database/contact-keys.ts creates the extension pg_trgm, and
-- fills these columns.
alter table contacts alter column search_text set not null;
alter table contacts alter column has_phone set not null;

-- The orders of lists. Each has all that a filter compares, so that a walk along it reads no row of the table. `version > 0` is
-- always true, and only lists say it: on a table without statistics, PostgreSQL would look rows up by one of these indexes.
create index contacts_by_creation on contacts (account_id, created_at, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, updated_at, last_activity_at)
  where version > 0;
create index contacts_by_update on contacts (account_id, updated_at, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, created_at, last_activity_at)
  where version > 0;
create index contacts_by_activity on contacts (account_id, last_activity_at, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, created_at, updated_at)
  where version > 0;
create index contacts_by_name on contacts (account_id, name_key, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, created_at, updated_at, last_activity_at)
  where version > 0;

-- Values that few contacts have.
create index contacts_by_stage on contacts (account_id, stage) where archived_at is null;
create index contacts_by_source on contacts (account_id, source) where archived_at is null;
create index contacts_by_buyer_type on contacts (account_id, buyer_type) where archived_at is null;
create index contacts_by_assignee on contacts (account_id, assigned_account_user_id) where archived_at is null;
create index contacts_by_phone on contacts (account_id, has_phone) where archived_at is null;
create index contacts_archived on contacts (account_id, archived_at) where archived_at is not null;

-- All accounts share it: with the id of the account in it, a search takes several times as long. A search reads the pending
-- entries of the index one by one, so there are few.
create index contacts_by_word on contacts using gin (search_text gin_trgm_ops)
  with (gin_pending_list_limit = 1024);

create index contact_tags_by_tag on contact_tags (account_id, tag_id, contact_id);
create index contact_links_by_project on contact_links (account_id, project_id, unit_id, contact_id);
drop index contact_links_by_unit;

-- Whether a contact has a tag, a link to a project, and one to a unit: lists find the few contacts without one by an index.
-- The orders of lists hold them, too. Their indexes are made anew after the rows have their values, and so is that of the words:
-- to write its entries row by row takes longer.
drop index contacts_by_word;
drop index contacts_by_creation;
drop index contacts_by_update;
drop index contacts_by_activity;
drop index contacts_by_name;
alter table contacts add column has_tag boolean not null default false;
alter table contacts add column has_project boolean not null default false;
alter table contacts add column has_unit boolean not null default false;
update contacts set has_tag = tagged.contact_id is not null, has_project = linked.contact_id is not null,
    has_unit = coalesce(linked.has_unit, false)
  from (select distinct account_id, contact_id from contact_tags) tagged
    full join (
      select account_id, contact_id, bool_or(unit_id is not null) as has_unit from contact_links group by account_id, contact_id
    ) linked on linked.account_id = tagged.account_id and linked.contact_id = tagged.contact_id
  where contacts.account_id = coalesce(tagged.account_id, linked.account_id)
    and contacts.id = coalesce(tagged.contact_id, linked.contact_id);
create index contacts_by_creation on contacts (account_id, created_at, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit,
    updated_at, last_activity_at)
  where version > 0;
create index contacts_by_update on contacts (account_id, updated_at, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit,
    created_at, last_activity_at)
  where version > 0;
create index contacts_by_activity on contacts (account_id, last_activity_at, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit,
    created_at, updated_at)
  where version > 0;
create index contacts_by_name on contacts (account_id, name_key, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit,
    created_at, updated_at, last_activity_at)
  where version > 0;
create index contacts_without_tag on contacts (account_id) where not has_tag and archived_at is null;
create index contacts_without_project on contacts (account_id) where not has_project and archived_at is null;
create index contacts_without_unit on contacts (account_id) where not has_unit and archived_at is null;
create index contacts_by_word on contacts using gin (search_text gin_trgm_ops)
  with (gin_pending_list_limit = 1024);

-- The projects to which a contact is linked: figures count contacts by project along the order of their creation. The indexes of
-- this order and of the words are made anew after the rows have their values.
drop index contacts_by_word;
drop index contacts_by_creation;
alter table contacts add column project_ids uuid[] not null default '{}';
update contacts set project_ids = linked.project_ids
  from (
    select account_id, contact_id, array_agg(distinct project_id) as project_ids from contact_links group by account_id, contact_id
  ) linked
  where contacts.account_id = linked.account_id and contacts.id = linked.contact_id;
create index contacts_by_creation on contacts (account_id, created_at, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit,
    updated_at, last_activity_at, project_ids)
  where version > 0;
create index contacts_by_word on contacts using gin (search_text gin_trgm_ops)
  with (gin_pending_list_limit = 1024);

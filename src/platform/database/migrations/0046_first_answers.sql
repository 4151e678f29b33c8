-- When a contact was first called, written to or met after its creation. Figures read it in the order of creation. The indexes of
-- this order and of the words are made anew after the rows have their values.
drop index contacts_by_word;
drop index contacts_by_creation;
alter table contacts add column first_answer_at timestamptz(3);
update contacts set first_answer_at = answer.at
  from (
    select contacts.account_id, contact_id, min(occurred_at) as at
    from activities join contacts on contacts.account_id = activities.account_id and contacts.id = contact_id
    where type in ('call', 'email', 'text', 'meeting', 'viewing') and occurred_at >= contacts.created_at
    group by contacts.account_id, contact_id
  ) answer
  where contacts.account_id = answer.account_id and contacts.id = answer.contact_id;
create index contacts_by_creation on contacts (account_id, created_at, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit,
    updated_at, last_activity_at, project_ids, first_answer_at)
  where version > 0;
create index contacts_by_word on contacts using gin (search_text gin_trgm_ops)
  with (gin_pending_list_limit = 1024);
drop index activities_answers;

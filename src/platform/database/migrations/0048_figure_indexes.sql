-- Figures count up to all contacts of an account, and look up the contact of each enquiry. These two indexes hold nothing but what
-- they read, so that PostgreSQL reads half as much for a contact; the order of creation goes back to what lists read.
drop index contacts_by_creation;
create index contacts_by_creation on contacts (account_id, created_at, id)
  include (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit,
    updated_at, last_activity_at)
  where version > 0;
create index contacts_figures on contacts (account_id, created_at)
  include (source, stage, assigned_account_user_id, project_ids, first_answer_at)
  where version > 0;
create index contacts_figures_by_id on contacts (account_id, id)
  include (source, stage, assigned_account_user_id, project_ids)
  where version > 0;

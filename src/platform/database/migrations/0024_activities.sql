-- The activities of the management interface. `values` is what an enquiry said beside what the contact keeps.
alter table activities drop constraint activities_type_check;
alter table activities add constraint activities_type_check
  check (type in ('note', 'call', 'email', 'text', 'meeting', 'viewing', 'enquiry'));
alter table activities add column outcome text;
alter table activities add column "values" json;
alter table activities add column actor_type text;
alter table activities add column actor_id uuid;
alter table activities add column created_at timestamptz(3);
alter table activities add column edited_at timestamptz(3);
alter table activities add column version integer not null default 1;

-- When another system first knew a contact. Null: the contact was made here, at the time in its id.
alter table contacts add column created_at timestamptz(3);

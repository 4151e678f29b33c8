-- What a person may do. The people of before are agents until an owner or the operator gives them another role.
alter table users add column role text not null default 'agent';
alter table users add constraint users_role_check check (role in ('owner', 'manager', 'agent', 'viewer'));
-- Null for the people of before.
alter table users add column created_at timestamptz(3);

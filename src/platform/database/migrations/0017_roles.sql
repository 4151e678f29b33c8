-- The role of a person decides what they may do. Existing people become agents, until an owner or the operator changes their role.
alter table users add column role text not null default 'agent';
alter table users add constraint users_role_check check (role in ('owner', 'manager', 'agent', 'viewer'));
-- Null for people who existed before this migration.
alter table users add column created_at timestamptz(3);

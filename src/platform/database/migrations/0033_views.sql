-- Saved views of lists, each of one person or program, or shared with the account.
create table views (
  account_id uuid not null,
  id uuid not null,
  resource text not null,
  name text not null,
  name_key text not null,
  filter jsonb not null,
  sort text,
  columns jsonb,
  shared boolean not null,
  owner_type text not null,
  owner_id uuid not null,
  version integer not null default 1,
  primary key (account_id, id),
  foreign key (account_id) references accounts on delete cascade
);

alter table views alter column account_id set (n_distinct = 1);

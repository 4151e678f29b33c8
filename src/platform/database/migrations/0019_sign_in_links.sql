-- Links by which people begin: `start` makes the first owner of an account, `invite` and `reset` let a person choose a password.
create table sign_in_links (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  -- Null for a start link, except in a demo, where it signs its owner in.
  user_id uuid,
  token_sha256 bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (account_id, id),
  unique (token_sha256, account_id),
  foreign key (account_id) references accounts on delete cascade,
  foreign key (account_id, user_id) references users on delete cascade,
  check (kind in ('start', 'invite', 'reset')),
  check (kind = 'start' or user_id is not null)
);
alter table sign_in_links alter column account_id set (n_distinct = 1);

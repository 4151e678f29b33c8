-- The hash of a person's password (argon2id, as PHC text). Null until the person has chosen one.
alter table users add column password text;
alter table users add column signed_in_at timestamptz(3);
alter table users add column theme text;
alter table users add constraint users_theme_check check (theme in ('system', 'light', 'dark'));

-- A session lasts from signing in to signing out. It keeps the hash of its token, and for a minute that of the token before.
create table sessions (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_sha256 bytea not null,
  previous_sha256 bytea,
  previous_until timestamptz(3),
  -- The role of the person when the token was made: with another role the session gets a new token.
  role text not null,
  created_at timestamptz(3) not null,
  renewed_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  -- Null in a demo, whose sessions count as confirmed.
  confirmed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  user_agent text,
  address text not null,
  primary key (account_id, id),
  -- The column that tells rows apart comes first, as in 0003.
  unique (token_sha256, account_id),
  unique (previous_sha256, account_id),
  foreign key (account_id) references accounts on delete cascade,
  foreign key (account_id, user_id) references users on delete cascade
);
create index sessions_by_user on sessions (user_id, account_id);
alter table sessions alter column account_id set (n_distinct = 1);

-- A person may send an Idempotency-Key, too: the column has the id of the key or of the person.
alter table idempotency_keys drop constraint idempotency_keys_account_id_api_key_id_fkey;
alter table idempotency_keys add foreign key (account_id) references accounts on delete cascade;

-- The second step of signing in (TOTP). Secrets are encrypted with OFFPLAN_SECRET_KEY.
create table second_steps (
  account_id uuid not null,
  user_id uuid not null,
  -- Null until the person has proved that their app has the secret.
  secret bytea,
  pending_secret bytea,
  -- The latest time step whose code was used: each code works once.
  last_step bigint not null,
  primary key (account_id, user_id),
  foreign key (account_id) references accounts on delete cascade,
  foreign key (account_id, user_id) references users on delete cascade
);
alter table second_steps alter column account_id set (n_distinct = 1);

create table recovery_codes (
  account_id uuid not null,
  user_id uuid not null,
  code_sha256 bytea not null,
  primary key (account_id, user_id, code_sha256),
  foreign key (account_id) references accounts on delete cascade,
  foreign key (account_id, user_id) references users on delete cascade
);
alter table recovery_codes alter column account_id set (n_distinct = 1);

alter table sign_in_links add column remove_second_step boolean not null default false;

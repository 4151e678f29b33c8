-- The networks from which a person has signed in. From these, the hourly limit of failed sign-ins per email does not apply.
create table known_networks (
  account_id uuid not null,
  user_id uuid not null,
  network text not null,
  signed_in_at timestamptz(3) not null,
  primary key (account_id, user_id, network),
  foreign key (account_id) references accounts on delete cascade,
  foreign key (account_id, user_id) references users on delete cascade
);

alter table known_networks alter column account_id set (n_distinct = 1);

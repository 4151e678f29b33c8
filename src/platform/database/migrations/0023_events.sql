-- What changed in an account, and who changed it. A writer raises `sequence` by the number of its events right before its
-- writes, so that the numbers have no gaps and follow the order of the commits.
alter table account_revisions add column sequence bigint not null default 0;
-- From now on each account has a row.
insert into account_revisions (account_id, revision)
  select account_id, created_at from accounts
  where not exists (select from account_revisions where account_revisions.account_id = accounts.account_id);

-- No personal data: the erasure of a person leaves the events as they are.
create table events (
  account_id uuid not null,
  sequence bigint not null,
  type text not null,
  subject uuid not null,
  at timestamptz(3) not null,
  actor_type text not null,
  actor_id uuid,
  request_id text,
  data json not null,
  primary key (account_id, sequence),
  foreign key (account_id) references accounts on delete cascade
);
alter table events alter column account_id set (n_distinct = 1);

-- The fields that the event with this number changed, as JSON objects by their names. The rows of stock stay when the event
-- is deleted, those of a contact until the contact is erased.
create table changes (
  account_id uuid not null,
  sequence bigint not null,
  subject_type text not null,
  subject uuid not null,
  at timestamptz(3) not null,
  actor_type text not null,
  actor_id uuid,
  request_id text,
  import_id uuid,
  before json,
  after json,
  primary key (account_id, sequence),
  foreign key (account_id) references accounts on delete cascade
);
create index changes_by_subject on changes (account_id, subject, sequence);
alter table changes alter column account_id set (n_distinct = 1);

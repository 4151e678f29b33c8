-- `version` counts the changes of a row. `revision` is the account's revision of the last change, or null when the row has
-- not changed since this migration. With it, a load of an account file finds the rows that changed after the file was exported.
create table account_revisions (
  account_id uuid not null,
  revision timestamptz(3) not null,
  constraint account_revisions_pkey primary key (account_id),
  constraint account_revisions_account_id_fkey foreign key (account_id) references accounts (account_id) on delete cascade
);
alter table account_revisions alter column account_id set (n_distinct = 1);

alter table accounts add column version integer not null default 1;
alter table accounts add column revision timestamptz(3);
alter table users add column version integer not null default 1;
alter table users add column revision timestamptz(3);
alter table projects add column version integer not null default 1;
alter table projects add column revision timestamptz(3);
alter table units add column version integer not null default 1;
alter table units add column revision timestamptz(3);
alter table contacts add column version integer not null default 1;
alter table contacts add column revision timestamptz(3);

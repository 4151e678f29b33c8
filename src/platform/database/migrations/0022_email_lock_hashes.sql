-- The lock on an email has the SHA-256 of the email, so that no row keeps the email of a contact that is gone. Writers make
-- the rows that they need, so the table begins empty.
drop table email_locks;

create table email_locks (
  account_id uuid not null,
  email_sha256 bytea not null,
  primary key (account_id, email_sha256),
  foreign key (account_id) references accounts on delete cascade
);

alter table email_locks alter column account_id set (n_distinct = 1);

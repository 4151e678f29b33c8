-- The rows of a contact file that its latest dry run refused, until its next run.
create table contact_file_refusals (
  account_id uuid not null,
  file_id uuid not null,
  line integer not null,
  code text not null,
  reason text not null,
  text text not null,
  primary key (account_id, file_id, line),
  foreign key (account_id, file_id) references contact_files on delete cascade
);

alter table contact_file_refusals alter column account_id set (n_distinct = 1);

-- Why rows of the latest run were refused, the commonest reasons first.
alter table contact_files add column reasons json;

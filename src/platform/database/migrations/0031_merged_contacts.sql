-- The contact that each merged contact has become, so that an old id still leads to it.
create table merged_contacts (
  account_id uuid not null,
  id uuid not null,
  into_id uuid not null,
  primary key (account_id, id),
  foreign key (account_id) references accounts on delete cascade,
  foreign key (account_id, into_id) references contacts on delete cascade
);

create index merged_contacts_by_survivor on merged_contacts (account_id, into_id);
alter table merged_contacts alter column account_id set (n_distinct = 1);

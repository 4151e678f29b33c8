-- The projects that were live and are not any more, deleted ones too, so that a website learns which pages to take down.
create table removed_projects (
  account_id uuid not null,
  id uuid not null,
  slug text collate "C" not null,
  removed_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id) references accounts on delete cascade
);

create index removed_projects_by_time on removed_projects (account_id, removed_at);

alter table removed_projects alter column account_id set (n_distinct = 1);

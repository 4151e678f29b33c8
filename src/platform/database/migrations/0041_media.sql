-- The pictures that the service stores. Their files are in OFFPLAN_MEDIA_DIR.
create table media (
  account_id uuid not null,
  -- SHA-256 of the file as it was uploaded, in hexadecimal digits.
  sha256 text collate "C" not null,
  ext text not null,
  -- Size of the file as it is stored.
  bytes integer not null,
  width integer not null,
  height integer not null,
  created_at timestamptz(3) not null,
  created_by_type text not null,
  created_by_id uuid not null,
  primary key (account_id, sha256),
  foreign key (account_id) references accounts on delete cascade
);

create index media_list on media (account_id, created_at, sha256);

alter table media alter column account_id set (n_distinct = 1);

-- Files of contacts that somebody uploads: how they are read, what the import of their rows did, and who works on them. The
-- id of a file is the id of its run in `imports`.
create table contact_files (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  media_format text not null,
  encoding text,
  bytes integer not null default 0,
  status text not null,
  created_at timestamptz(3) not null,
  actor_type text not null,
  actor_id uuid not null,
  version integer not null default 1,
  format text,
  row_count integer,
  header_line integer,
  delimiter text,
  columns json,
  problem json,
  options json,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created integer not null default 0,
  merged integer not null default 0,
  refused integer not null default 0,
  deleted integer not null default 0,
  next_line integer not null default 1,
  first_sequence bigint,
  removed integer,
  kept integer,
  -- The process that works on the file, and until when it must say so again.
  lease uuid,
  lease_until timestamptz(3),
  attempts integer not null default 0,
  primary key (account_id, id),
  foreign key (account_id) references accounts on delete cascade,
  check (status in ('uploading', 'checking', 'ready', 'refused', 'queued', 'running', 'stopping', 'stopped', 'completed',
    'failed', 'undoing', 'undone'))
);

-- An account has one file that is imported or undone. Others can be checked meanwhile.
create unique index contact_files_lease on contact_files (account_id)
  where lease is not null and status <> 'checking';

create index contact_files_due on contact_files (account_id, id)
  where status in ('checking', 'queued', 'running', 'stopping', 'undoing');

-- The bytes of a file, until its run has ended.
create table contact_file_chunks (
  account_id uuid not null,
  file_id uuid not null,
  position integer not null,
  bytes bytea not null,
  primary key (account_id, file_id, position),
  foreign key (account_id, file_id) references contact_files on delete cascade
);

alter table contact_files alter column account_id set (n_distinct = 1);

alter table contact_file_chunks alter column account_id set (n_distinct = 1);

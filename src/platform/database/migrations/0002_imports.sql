-- What was asked of the importer, and what became of it. It refers to nothing: it outlives a contact that was merged
-- away, and a check of the account for each line would cost an import more than the line itself.
create table imports (
  account_id uuid not null,
  -- A UUIDv7: the log in the order of its ids is the log in the order of time.
  id uuid not null,
  received_at timestamptz(3) not null,
  channel text not null check (channel in ('single', 'batch', 'file')),
  api_key_id uuid,
  request_id text,
  -- The index in a batch, from 0; the line in a file, from 1.
  position integer,
  -- How a row of a file is read: { name, delimiter, fields }.
  file jsonb,
  -- The text as it was received.
  payload text not null,
  outcome text not null check (outcome in ('created', 'merged', 'refused')),
  -- The result of the import, or the problem that refused it.
  result json not null,
  -- Of a refused one that was put through again: when, and its result then.
  settled_at timestamptz(3),
  settlement json,
  primary key (account_id, id)
);

create index imports_open on imports (account_id, id) where outcome = 'refused' and settled_at is null;

-- A request that is named by its client, so that a repeat gets the first answer. The claim is committed before the
-- import; the answer, status and body, in the import's own transaction.
create table idempotency_keys (
  account_id uuid not null,
  api_key_id uuid not null,
  key text collate "C" not null,
  request_sha256 bytea not null,
  -- Whose turn it is to answer: who finds another one here has lost the claim.
  claim_id uuid not null,
  claimed_at timestamptz(3) not null,
  status smallint,
  body text,
  primary key (account_id, api_key_id, key),
  foreign key (account_id, api_key_id) references api_keys on delete cascade
);

create index idempotency_keys_by_age on idempotency_keys (account_id, claimed_at);

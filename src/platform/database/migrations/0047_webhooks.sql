-- Endpoints of other systems, to which events are sent. `cursor` is the number of the last event that was sent or passed by.
create table webhooks (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  types text[] not null,
  with_objects boolean not null,
  bulk text not null,
  ordered boolean not null,
  -- Encrypted: JSON of the headers by their names, and the secrets that deliveries are signed with.
  headers bytea,
  header_names text[] not null,
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz(3),
  created_at timestamptz(3) not null,
  created_by_type text not null,
  created_by_id uuid,
  version integer not null default 1,
  -- Why nothing is sent; null while the webhook is enabled.
  disabled_reason text,
  cursor bigint not null,
  last_success_at timestamptz(3),
  -- Since the last success: the first failure, and the number of them.
  failing_since timestamptz(3),
  failures integer not null default 0,
  -- How many probes of a dead endpoint have failed; 0 for one that is not dead.
  step integer not null default 0,
  -- Until when nothing is sent.
  paused_until timestamptz(3),
  -- When the next delivery is due that has failed before.
  due_at timestamptz(3),
  -- The process that sends, and until when it must say so again. Without a process: the end of the last turn.
  lease uuid,
  lease_until timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id) references accounts on delete cascade
);

alter table webhooks alter column account_id set (n_distinct = 1);

-- An event for a webhook. `at` is the time of the last attempt, or of the request for a new one.
create table webhook_deliveries (
  account_id uuid not null,
  webhook_id uuid not null,
  sequence bigint not null,
  type text not null,
  subject uuid not null,
  contact_id uuid,
  event_at timestamptz(3) not null,
  status text not null,
  attempt integer not null,
  http_status integer,
  ms integer,
  error text,
  response_start text,
  at timestamptz(3) not null,
  next_attempt_at timestamptz(3),
  primary key (account_id, webhook_id, sequence),
  foreign key (account_id, webhook_id) references webhooks on delete cascade,
  check (status in ('pending', 'delivered', 'failed'))
);

create index webhook_deliveries_open on webhook_deliveries (account_id, webhook_id, sequence)
  where status <> 'delivered';

create index webhook_deliveries_due on webhook_deliveries (account_id, webhook_id, next_attempt_at)
  where status = 'pending';

create index webhook_deliveries_tried on webhook_deliveries (account_id, webhook_id, at)
  where status = 'pending' and attempt > 0;

create index webhook_deliveries_by_time on webhook_deliveries (account_id, at);

create index webhook_deliveries_of_contact on webhook_deliveries (account_id, contact_id)
  where response_start is not null;

alter table webhook_deliveries alter column account_id set (n_distinct = 1);

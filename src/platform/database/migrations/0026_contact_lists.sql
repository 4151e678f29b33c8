-- What lists of contacts filter, sort and search by. `created_at` is filled from the id (a UUIDv7), unless another system knew
-- the contact before. The next migration fills the keys.
update contacts set created_at = least(now(), case
    when substr(id::text, 15, 1) = '7'
      then to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
    else coalesce(imported_at, now())
  end)
  where created_at is null;
alter table contacts alter column created_at set not null;
-- The time of the latest activity that is not in the future; null without one.
alter table contacts add column latest_activity_at timestamptz(3);
update contacts set latest_activity_at = latest.occurred_at
  from (
    select account_id, contact_id, max(occurred_at) as occurred_at from activities
    where occurred_at <= now() group by account_id, contact_id
  ) latest
  where contacts.account_id = latest.account_id and contacts.id = latest.contact_id;
alter table contacts add column last_activity_at timestamptz(3) not null
  generated always as (coalesce(latest_activity_at, created_at)) stored;
-- The revision of the account at the last change; of older contacts, which have none, the time of their creation.
alter table contacts add column updated_at timestamptz(3) not null
  generated always as (coalesce(revision, created_at)) stored;
alter table contacts add column name_key text collate "C";
alter table contacts add column search_text text;
alter table contacts add column has_phone boolean;

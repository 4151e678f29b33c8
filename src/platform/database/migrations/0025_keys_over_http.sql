-- Who made a key: a person, a key, or (without an id) the operator's command. `version` counts its changes.
alter table api_keys add column version integer not null default 1;
alter table api_keys add column created_by_type text not null default 'system';
alter table api_keys add column created_by_id uuid;

-- The limits of the key in a minute, beside those of the operator.
alter table api_keys add column reads_per_minute integer;
alter table api_keys add column imports_per_minute integer;
alter table api_keys add column writes_per_minute integer;

-- A key that was rotated keeps the hash of its text before, which works until then.
alter table api_keys add column previous_sha256 bytea;
alter table api_keys add column previous_last_four text;
alter table api_keys add column previous_until timestamptz(3);
-- The column that tells rows apart comes first, as in 0003, so that no look-up by id takes these indexes.
alter table api_keys add constraint api_keys_previous_sha256_account_id_key unique (previous_sha256, account_id);
alter table api_keys add constraint api_keys_key_sha256_account_id_key unique (key_sha256, account_id);
alter table api_keys drop constraint api_keys_account_id_key_sha256_key;

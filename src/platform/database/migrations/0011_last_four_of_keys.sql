-- The last four characters of an API key, so that an operator can tell keys apart. They are null for the keys of before.
alter table api_keys add column last_four text;

-- A key has either an access, as before, or the scopes that were given to it.
alter table api_keys add column scopes text[];
alter table api_keys alter column access drop not null;
alter table api_keys add constraint api_keys_access_or_scopes check ((access is null) <> (scopes is null));

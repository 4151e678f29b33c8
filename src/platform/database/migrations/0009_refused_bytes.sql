-- How many bytes of refused imports that came with an API key each account keeps for a retry: payloads and problems.
create table import_log_sizes (
  account_id uuid primary key references accounts (account_id) on delete cascade,
  refused_bytes bigint not null
);
alter table import_log_sizes alter column account_id set (n_distinct = 1);

insert into import_log_sizes (account_id, refused_bytes)
select account_id, sum(octet_length(payload) + octet_length(result::text))
from imports
where outcome = 'refused' and settled_at is null and api_key_id is not null
  and account_id in (select account_id from accounts)
group by account_id;

-- Null: the account keeps as many bytes as it may, or the import was a batch that was refused as a whole.
alter table imports alter column payload drop not null;

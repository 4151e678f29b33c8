-- PostgreSQL plans for an account of the average size. Beside many small accounts that is one row of each table, for
-- which any index that begins with account_id seems as good as the one that names a row: a check of an API key then read
-- all keys of a large account. Told that there is one account, it plans for one that has all rows, which no plan is
-- wrong for. What it is told counts from the next ANALYZE on.

do $$
declare
  tables constant text[] := array[
    'activities', 'api_keys', 'contact_links', 'contact_tags', 'contacts', 'email_locks', 'idempotency_keys',
    'imports', 'projects', 'related_projects', 'tags', 'units', 'users'
  ];
  each text;
  is_filled boolean;
begin
  foreach each in array tables loop
    execute format('alter table %I alter column account_id set (n_distinct = 1)', each);
    -- Of an empty table it would say for good that there is nothing in it.
    execute format('select exists (select from %I)', each) into is_filled;
    if is_filled then execute format('analyze %I', each); end if;
  end loop;
end
$$;

-- Before this file runs, `prepareUnitLists` in src/platform/database/unit-keys.ts fills these columns.
alter table units alter column name_key set not null;
alter table units alter column search_text set not null;

-- The orders of lists. Each has what most filters compare, so that a walk along it reads few rows of the table. `version > 0`
-- is always true, and only lists say it: on a table without statistics, PostgreSQL would look rows up by one of these indexes.
create index units_by_position on units (account_id, position, id)
  include (project_id, status, unit_type, bedrooms, price, updated_at)
  where version > 0;
create index units_by_price on units (account_id, price, id)
  include (project_id, status, unit_type, bedrooms, updated_at)
  where version > 0;
create index units_by_name on units (account_id, name_key, id)
  include (project_id, status, unit_type, bedrooms, price, updated_at)
  where version > 0;
create index units_by_update on units (account_id, updated_at, id)
  include (project_id, status, unit_type, bedrooms, price)
  where version > 0;

-- A status that few units have.
create index units_by_status on units (account_id, status) where version > 0;

-- All accounts share it, as they share that of contacts.
create index units_by_word on units using gin (search_text gin_trgm_ops)
  with (gin_pending_list_limit = 1024);

-- The order of lists by project: the units of each project by position. It has what most filters compare, as the other orders have.
create index units_by_project on units (account_id, project_id, position, id)
  include (status, unit_type, bedrooms, price, updated_at)
  where version > 0;

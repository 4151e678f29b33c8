-- When each sweep last ran, by the clock that it trusted: a clock that is far past this time deletes nothing by itself.
create table sweeps (
  name text primary key,
  swept_at timestamptz(3) not null
);

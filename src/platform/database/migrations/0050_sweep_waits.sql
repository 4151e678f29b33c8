-- A sweep by a clock that has jumped waits for a day. Keep the wait in the database, so that a restart does not begin it anew.
alter table sweeps add column waiting_since timestamptz(3);
alter table sweeps add column looked_at timestamptz(3);

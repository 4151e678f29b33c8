-- A sweep by a clock that has jumped waits for a day. Keep the wait in the database, so that a restart does not begin it anew.
alter table sweeps add column waited_ms integer;
alter table sweeps add column clock_checked_at timestamptz(3);

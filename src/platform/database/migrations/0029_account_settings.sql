-- The contacts that agents see: all, or their own and those of nobody.
alter table accounts add column agents_see text not null default 'all';
alter table accounts add constraint accounts_agents_see_check check (agents_see in ('all', 'own'));
alter table accounts add column time_zone text not null default 'UTC';
alter table accounts add column default_currency text;
-- The people who must sign in with a code, too.
alter table accounts add column second_step_for text not null default 'nobody';
alter table accounts add constraint accounts_second_step_for_check
  check (second_step_for in ('nobody', 'owners_and_managers', 'everybody'));

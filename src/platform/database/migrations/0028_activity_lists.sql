-- `version > 0` is always true, and only lists say it, so that no look-up uses this index.
create index activities_by_time on activities (account_id, occurred_at, id) where version > 0;
create index activities_edited on activities (account_id, edited_at) where edited_at is not null;

create index activities_by_time on activities (account_id, occurred_at, id);
create index activities_edited on activities (account_id, edited_at) where edited_at is not null;

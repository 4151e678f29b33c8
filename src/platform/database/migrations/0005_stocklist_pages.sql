-- The stocklist reads the ids of one page from this index alone: it has the order of the stocklist and every column that
-- a filter compares. So page 1,000 of a long list reads no row of the pages before it. The condition on updated_at keeps
-- PostgreSQL from using the index where a project is looked up by its id or slug.
create index projects_by_page on projects (account_id, updated_at desc)
  include (id, status, region_key, region_slug_key, city_key, suburb_key)
  where publication = 'live' and updated_at is not null;

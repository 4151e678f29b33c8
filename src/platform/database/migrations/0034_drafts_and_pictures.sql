-- A draft may lack what the stock endpoints show of live projects.
alter table projects alter column development_description drop not null;
alter table projects alter column estimated_completion_date drop not null;
alter table projects alter column address_line_1 drop not null;
alter table projects alter column postal_code drop not null;
alter table projects alter column latitude drop not null;
alter table projects alter column longitude drop not null;
alter table projects alter column city_name drop not null;
alter table projects alter column region_name drop not null;
alter table projects alter column region_slug drop not null;
alter table projects alter column suburb_name drop not null;
alter table projects alter column project_website_url drop not null;
alter table projects alter column city_key drop not null;
alter table projects alter column region_key drop not null;
alter table projects alter column region_slug_key drop not null;
alter table projects alter column suburb_key drop not null;
alter table projects add constraint projects_live_check check (publication <> 'live' or num_nulls(
  development_description, estimated_completion_date, address_line_1, postal_code, latitude, longitude, city_name, region_name,
  region_slug, suburb_name, project_website_url, city_key, region_key, region_slug_key, suburb_key
) = 0);

-- A picture is `{ "key", "alt" }`; without an alternative text it has no `alt`.
alter table projects add column hero_image json;
alter table projects add column gallery_images json;
alter table projects add column created_at timestamptz(3);
-- The names by which lists sort and search. A later migration fills those of older projects.
alter table projects add column name_key text collate "C";
alter table projects add column search_text text;
alter table units add column floor_plan_image json;
alter table units add column created_at timestamptz(3);
alter table units add column updated_at timestamptz(3);

-- The id of a row (a UUIDv7) has the time of its creation. A unit changed last when its project did, or before.
update projects set
  hero_image = case when hero_image_key is not null then json_build_object('key', hero_image_key) end,
  gallery_images = array_to_json(array(
    select json_build_object('key', image.key)
    from unnest(gallery_image_keys) with ordinality as image (key, place) order by image.place
  )),
  created_at = least(updated_at, case when substr(id::text, 15, 1) = '7'
    then to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) end);
update units set
  floor_plan_image = case when floor_plan_image_key is not null then json_build_object('key', floor_plan_image_key) end,
  created_at = least(projects.updated_at, case when substr(units.id::text, 15, 1) = '7'
    then to_timestamp(('x' || translate(left(units.id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) end),
  updated_at = least(projects.updated_at, units.revision)
  from projects
  where units.account_id = projects.account_id and units.project_id = projects.id;

alter table projects alter column gallery_images set not null;
alter table projects alter column created_at set not null;
alter table projects drop column hero_image_key;
alter table projects drop column gallery_image_keys;
alter table units alter column created_at set not null;
alter table units alter column updated_at set not null;
alter table units drop column floor_plan_image_key;

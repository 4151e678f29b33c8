-- Every key of a tenant's table begins with account_id, so that the schema can be sharded by account
-- and no row can ever refer to another account's. Times and ids are given by the service.

-- The one table that no account owns: from an account's name in the command line to its id.
create table account_slugs (
  slug text collate "C" primary key,
  account_id uuid not null unique
);

create table accounts (
  account_id uuid primary key,
  -- The last tick given to a change of the account's stock; see src/stocklist/clock.ts.
  stock_clock timestamptz(3) not null,
  company_name text not null,
  display_name text not null,
  intro text,
  email text not null,
  phone text,
  location text not null,
  website_url text not null,
  logo_image_key text,
  created_at timestamptz(3) not null
);

create table api_keys (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  name text not null,
  access text not null check (access in ('read', 'read-write')),
  key_sha256 bytea not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (account_id, id),
  unique (account_id, key_sha256)
);

create table users (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  email text not null,
  email_key text collate "C" not null,
  name text not null,
  active boolean not null,
  primary key (account_id, id),
  unique (account_id, email_key)
);

create table projects (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  slug text collate "C" not null,
  name text not null,
  publication text not null check (publication in ('draft', 'live', 'archived')),
  status text not null check (status in ('Coming Soon', 'Available', 'Sold Out', 'On Hold', 'Completed')),
  development_description text not null,
  estimated_completion_date timestamptz(3) not null,
  address_line_1 text not null,
  address_line_2 text,
  postal_code text not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  city_name text not null,
  region_name text not null,
  region_slug text not null,
  suburb_name text not null,
  project_website_url text not null,
  hero_image_key text,
  gallery_image_keys text[] not null,
  -- The folded forms that filters compare; see fold in src/text.ts.
  city_key text collate "C" not null,
  region_key text collate "C" not null,
  region_slug_key text collate "C" not null,
  suburb_key text collate "C" not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  unique (account_id, slug)
);

-- The promise to those who poll by updated_since, and the order of the stocklist. Partial, though it leaves nothing
-- out: a column of a full unique index counts as a key, and updating one locks out the imports that link to it.
create unique index projects_by_update on projects (account_id, updated_at) where updated_at is not null;

create table units (
  account_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  position integer not null,
  name text not null,
  -- jsonb, since a lot or a level is a number on one plan and a text on another, and stays as it was given.
  lot_number jsonb,
  unit_type text check (unit_type in ('Apartment', 'Townhouse', 'House', 'Land', 'Commercial', 'Other')),
  status text not null check (status in
    ('Coming Soon', 'Available', 'On Hold', 'Reserved', 'Under Contract', 'Unconditional', 'Settled', 'Withdrawn')),
  level jsonb,
  bedrooms double precision check (bedrooms >= 0),
  bathrooms double precision check (bathrooms >= 0),
  car_spaces double precision check (car_spaces >= 0),
  aspect text,
  internal_area_sqm double precision check (internal_area_sqm >= 0),
  external_area_sqm double precision check (external_area_sqm >= 0),
  land_area_sqm double precision check (land_area_sqm >= 0),
  price double precision check (price >= 0),
  price_display text,
  currency text,
  floor_plan_image_key text,
  primary key (account_id, id),
  -- What a contact's link refers to, so that a unit is only ever linked beside its own project.
  unique (account_id, project_id, id),
  foreign key (account_id, project_id) references projects on delete cascade
);

create table related_projects (
  account_id uuid not null,
  project_id uuid not null,
  related_project_id uuid not null,
  position integer not null,
  primary key (account_id, project_id, related_project_id),
  foreign key (account_id, project_id) references projects on delete cascade,
  foreign key (account_id, related_project_id) references projects on delete cascade
);

create table tags (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  label text not null,
  label_key text collate "C" not null,
  primary key (account_id, id),
  unique (account_id, label_key)
);

-- A row here is the lock on one email of an account: an email that no contact has yet needs one, too.
create table email_locks (
  account_id uuid not null references accounts on delete cascade,
  email_key text collate "C" not null,
  primary key (account_id, email_key)
);

create table contacts (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  email text not null,
  -- Not unique: an account filled in other ways may hold several contacts with one email.
  email_key text collate "C" not null,
  name text,
  first_name text,
  last_name text,
  phone_primary text,
  phone_mobile text,
  company_name text,
  notes text,
  stage text check (stage in
    ('New', 'Contacted', 'Qualified', 'Viewing', 'Reserved', 'Under Contract', 'Settled', 'Nurture', 'Lost')),
  source text check (source in ('Website', 'Referral', 'Social Media', 'Open Home', 'Agent', 'Other')),
  source_external_original_name text,
  buyer_type text check (buyer_type in ('First Home Buyer', 'Investor', 'Downsizer', 'Upgrader', 'Other')),
  -- A text or a number, as it was given.
  budget jsonb,
  referred_by text,
  address_line_1 text,
  address_line_2 text,
  city_name text,
  region_name text,
  suburb_name text,
  postal_code text,
  country text,
  state_or_province text,
  imported_at timestamptz(3),
  archived_at timestamptz(3),
  assigned_account_user_id uuid,
  primary key (account_id, id),
  foreign key (account_id, assigned_account_user_id) references users
);

-- The email first: an index that began with account_id would seem, on a young table without statistics, as good as
-- the primary key for the foreign keys that refer to a contact, and each check would read the whole account.
create index contacts_by_email on contacts (email_key, account_id);

create table contact_tags (
  account_id uuid not null,
  contact_id uuid not null,
  tag_id uuid not null,
  -- Gives a contact's tags the order in which they were linked.
  id uuid not null,
  primary key (account_id, contact_id, tag_id),
  foreign key (account_id, contact_id) references contacts on delete cascade,
  foreign key (account_id, tag_id) references tags on delete cascade
);

create table activities (
  account_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  type text not null check (type in ('note')),
  body text not null,
  occurred_at timestamptz(3) not null,
  primary key (account_id, id),
  foreign key (account_id, contact_id) references contacts on delete cascade
);

create index activities_latest on activities (account_id, contact_id, occurred_at desc, id desc);

create table contact_links (
  account_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  project_id uuid not null,
  unit_id uuid,
  primary key (account_id, id),
  unique nulls not distinct (account_id, contact_id, project_id, unit_id),
  foreign key (account_id, contact_id) references contacts on delete cascade,
  foreign key (account_id, project_id) references projects,
  foreign key (account_id, project_id, unit_id) references units (account_id, project_id, id)
);

create index contact_links_by_unit on contact_links (account_id, project_id, unit_id);

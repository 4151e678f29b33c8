-- The schema that the migrations make, for reading and for review. Nothing runs this file.
-- Made from the catalogs by scripts/dump-schema.ts; test/migrate.test.ts fails when it is out of date.

create table account_revisions (
  account_id uuid not null,
  revision timestamp(3) with time zone not null,
  sequence bigint default 0 not null,
  constraint account_revisions_pkey PRIMARY KEY (account_id),
  constraint account_revisions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

create table account_slugs (
  slug text collate "C" not null,
  account_id uuid not null,
  constraint account_slugs_pkey PRIMARY KEY (slug),
  constraint account_slugs_account_id_key UNIQUE (account_id)
);

create table accounts (
  account_id uuid not null,
  stock_clock timestamp(3) with time zone not null,
  company_name text not null,
  display_name text not null,
  intro text,
  email text not null,
  phone text,
  location text not null,
  website_url text not null,
  logo_image_key text,
  created_at timestamp(3) with time zone not null,
  version integer default 1 not null,
  revision timestamp(3) with time zone,
  agents_see text default 'all'::text not null,
  time_zone text default 'UTC'::text not null,
  default_currency text,
  second_step_for text default 'nobody'::text not null,
  constraint accounts_pkey PRIMARY KEY (account_id),
  constraint accounts_agents_see_check CHECK ((agents_see = ANY (ARRAY['all'::text, 'own'::text]))),
  constraint accounts_second_step_for_check CHECK ((second_step_for = ANY (ARRAY['nobody'::text, 'owners_and_managers'::text, 'everybody'::text])))
);

create table activities (
  account_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  type text not null,
  body text not null,
  occurred_at timestamp(3) with time zone not null,
  outcome text,
  "values" json,
  actor_type text,
  actor_id uuid,
  created_at timestamp(3) with time zone,
  edited_at timestamp(3) with time zone,
  version integer default 1 not null,
  constraint activities_pkey PRIMARY KEY (account_id, id),
  constraint activities_account_id_contact_id_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts(account_id, id) ON DELETE CASCADE,
  constraint activities_type_check CHECK ((type = ANY (ARRAY['note'::text, 'call'::text, 'email'::text, 'text'::text, 'meeting'::text, 'viewing'::text, 'enquiry'::text])))
);

CREATE INDEX activities_by_time ON public.activities USING btree (account_id, occurred_at, id) WHERE (version > 0);
CREATE INDEX activities_edited ON public.activities USING btree (account_id, edited_at) WHERE (edited_at IS NOT NULL);
CREATE INDEX activities_enquiries ON public.activities USING btree (account_id, occurred_at, contact_id) WHERE ((type = 'enquiry'::text) AND (version > 0));
CREATE INDEX activities_latest ON public.activities USING btree (account_id, contact_id, occurred_at DESC, id DESC);

create table api_keys (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  access text,
  key_sha256 bytea not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  last_four text,
  scopes text[],
  version integer default 1 not null,
  created_by_type text default 'system'::text not null,
  created_by_id uuid,
  reads_per_minute integer,
  imports_per_minute integer,
  writes_per_minute integer,
  previous_sha256 bytea,
  previous_last_four text,
  previous_until timestamp(3) with time zone,
  constraint api_keys_pkey PRIMARY KEY (account_id, id),
  constraint api_keys_key_sha256_account_id_key UNIQUE (key_sha256, account_id),
  constraint api_keys_previous_sha256_account_id_key UNIQUE (previous_sha256, account_id),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint api_keys_access_check CHECK ((access = ANY (ARRAY['read'::text, 'read-write'::text]))),
  constraint api_keys_access_or_scopes CHECK (((access IS NULL) <> (scopes IS NULL)))
);

create table changes (
  account_id uuid not null,
  sequence bigint not null,
  subject_type text not null,
  subject uuid not null,
  at timestamp(3) with time zone not null,
  actor_type text not null,
  actor_id uuid,
  request_id text,
  import_id uuid,
  before json,
  after json,
  constraint changes_pkey PRIMARY KEY (account_id, sequence),
  constraint changes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

CREATE INDEX changes_by_subject ON public.changes USING btree (account_id, subject, sequence);

create table contact_file_chunks (
  account_id uuid not null,
  file_id uuid not null,
  "position" integer not null,
  bytes bytea not null,
  constraint contact_file_chunks_pkey PRIMARY KEY (account_id, file_id, "position"),
  constraint contact_file_chunks_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES contact_files(account_id, id) ON DELETE CASCADE
);

create table contact_file_refusals (
  account_id uuid not null,
  file_id uuid not null,
  line integer not null,
  code text not null,
  reason text not null,
  text text not null,
  constraint contact_file_refusals_pkey PRIMARY KEY (account_id, file_id, line),
  constraint contact_file_refusals_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES contact_files(account_id, id) ON DELETE CASCADE
);

create table contact_files (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  media_format text not null,
  encoding text,
  bytes integer default 0 not null,
  status text not null,
  created_at timestamp(3) with time zone not null,
  actor_type text not null,
  actor_id uuid not null,
  version integer default 1 not null,
  format text,
  row_count integer,
  header_line integer,
  delimiter text,
  columns json,
  problem json,
  options json,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  created integer default 0 not null,
  merged integer default 0 not null,
  refused integer default 0 not null,
  deleted integer default 0 not null,
  next_line integer default 1 not null,
  first_sequence bigint,
  removed integer,
  kept integer,
  lease uuid,
  lease_until timestamp(3) with time zone,
  attempts integer default 0 not null,
  reasons json,
  remarks json,
  constraint contact_files_pkey PRIMARY KEY (account_id, id),
  constraint contact_files_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint contact_files_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'checking'::text, 'ready'::text, 'refused'::text, 'queued'::text, 'running'::text, 'stopping'::text, 'stopped'::text, 'completed'::text, 'failed'::text, 'undoing'::text, 'undone'::text])))
);

CREATE INDEX contact_files_due ON public.contact_files USING btree (account_id, id) WHERE (status = ANY (ARRAY['checking'::text, 'queued'::text, 'running'::text, 'stopping'::text, 'undoing'::text]));
CREATE UNIQUE INDEX contact_files_lease ON public.contact_files USING btree (account_id) WHERE ((lease IS NOT NULL) AND (status <> 'checking'::text));

create table contact_links (
  account_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  project_id uuid not null,
  unit_id uuid,
  constraint contact_links_pkey PRIMARY KEY (account_id, id),
  constraint contact_links_account_id_contact_id_project_id_unit_id_key UNIQUE NULLS NOT DISTINCT (account_id, contact_id, project_id, unit_id),
  constraint contact_links_account_id_contact_id_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts(account_id, id) ON DELETE CASCADE,
  constraint contact_links_account_id_project_id_fkey FOREIGN KEY (account_id, project_id) REFERENCES projects(account_id, id),
  constraint contact_links_account_id_project_id_unit_id_fkey FOREIGN KEY (account_id, project_id, unit_id) REFERENCES units(account_id, project_id, id)
);

CREATE INDEX contact_links_by_project ON public.contact_links USING btree (account_id, project_id, unit_id, contact_id);

create table contact_tags (
  account_id uuid not null,
  contact_id uuid not null,
  tag_id uuid not null,
  id uuid not null,
  constraint contact_tags_pkey PRIMARY KEY (account_id, contact_id, tag_id),
  constraint contact_tags_account_id_contact_id_fkey FOREIGN KEY (account_id, contact_id) REFERENCES contacts(account_id, id) ON DELETE CASCADE,
  constraint contact_tags_account_id_tag_id_fkey FOREIGN KEY (account_id, tag_id) REFERENCES tags(account_id, id) ON DELETE CASCADE
);

CREATE INDEX contact_tags_by_tag ON public.contact_tags USING btree (account_id, tag_id, contact_id);

create table contacts (
  account_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text collate "C" not null,
  name text,
  first_name text,
  last_name text,
  phone_primary text,
  phone_mobile text,
  company_name text,
  notes text,
  stage text,
  source text,
  source_external_original_name text,
  buyer_type text,
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
  imported_at timestamp(3) with time zone,
  archived_at timestamp(3) with time zone,
  assigned_account_user_id uuid,
  version integer default 1 not null,
  revision timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  latest_activity_at timestamp(3) with time zone,
  last_activity_at timestamp(3) with time zone default COALESCE(latest_activity_at, created_at) not null,
  updated_at timestamp(3) with time zone default COALESCE(revision, created_at) not null,
  name_key text collate "C",
  search_text text not null,
  has_phone boolean not null,
  has_tag boolean default false not null,
  has_project boolean default false not null,
  has_unit boolean default false not null,
  project_ids uuid[] default '{}'::uuid[] not null,
  first_answer_at timestamp(3) with time zone,
  constraint contacts_pkey PRIMARY KEY (account_id, id),
  constraint contacts_account_id_assigned_account_user_id_fkey FOREIGN KEY (account_id, assigned_account_user_id) REFERENCES users(account_id, id),
  constraint contacts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint contacts_buyer_type_check CHECK ((buyer_type = ANY (ARRAY['First Home Buyer'::text, 'Investor'::text, 'Downsizer'::text, 'Upgrader'::text, 'Other'::text]))),
  constraint contacts_source_check CHECK ((source = ANY (ARRAY['Website'::text, 'Referral'::text, 'Social Media'::text, 'Open Home'::text, 'Agent'::text, 'Other'::text]))),
  constraint contacts_stage_check CHECK ((stage = ANY (ARRAY['New'::text, 'Contacted'::text, 'Qualified'::text, 'Viewing'::text, 'Reserved'::text, 'Under Contract'::text, 'Settled'::text, 'Nurture'::text, 'Lost'::text])))
);

CREATE INDEX contacts_archived ON public.contacts USING btree (account_id, archived_at) WHERE (archived_at IS NOT NULL);
CREATE INDEX contacts_by_activity ON public.contacts USING btree (account_id, last_activity_at, id) INCLUDE (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit, created_at, updated_at) WHERE (version > 0);
CREATE INDEX contacts_by_assignee ON public.contacts USING btree (account_id, assigned_account_user_id) WHERE (archived_at IS NULL);
CREATE INDEX contacts_by_buyer_type ON public.contacts USING btree (account_id, buyer_type) WHERE (archived_at IS NULL);
CREATE INDEX contacts_by_creation ON public.contacts USING btree (account_id, created_at, id) INCLUDE (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit, updated_at, last_activity_at) WHERE (version > 0);
CREATE INDEX contacts_by_email ON public.contacts USING btree (email_key, account_id);
CREATE INDEX contacts_by_name ON public.contacts USING btree (account_id, name_key, id) INCLUDE (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit, created_at, updated_at, last_activity_at) WHERE (version > 0);
CREATE INDEX contacts_by_phone ON public.contacts USING btree (account_id, has_phone) WHERE (archived_at IS NULL);
CREATE INDEX contacts_by_source ON public.contacts USING btree (account_id, source) WHERE (archived_at IS NULL);
CREATE INDEX contacts_by_stage ON public.contacts USING btree (account_id, stage) WHERE (archived_at IS NULL);
CREATE INDEX contacts_by_update ON public.contacts USING btree (account_id, updated_at, id) INCLUDE (stage, source, buyer_type, assigned_account_user_id, archived_at, has_phone, has_tag, has_project, has_unit, created_at, last_activity_at) WHERE (version > 0);
CREATE INDEX contacts_by_word ON public.contacts USING gin (search_text gin_trgm_ops) WITH (gin_pending_list_limit='1024');
CREATE INDEX contacts_figures ON public.contacts USING btree (account_id, created_at) INCLUDE (source, stage, assigned_account_user_id, project_ids, first_answer_at) WHERE (version > 0);
CREATE INDEX contacts_figures_by_id ON public.contacts USING btree (account_id, id) INCLUDE (source, stage, assigned_account_user_id, project_ids) WHERE (version > 0);
CREATE INDEX contacts_without_project ON public.contacts USING btree (account_id) WHERE ((NOT has_project) AND (archived_at IS NULL));
CREATE INDEX contacts_without_tag ON public.contacts USING btree (account_id) WHERE ((NOT has_tag) AND (archived_at IS NULL));
CREATE INDEX contacts_without_unit ON public.contacts USING btree (account_id) WHERE ((NOT has_unit) AND (archived_at IS NULL));

create table email_locks (
  account_id uuid not null,
  email_sha256 bytea not null,
  constraint email_locks_pkey PRIMARY KEY (account_id, email_sha256),
  constraint email_locks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

create table events (
  account_id uuid not null,
  sequence bigint not null,
  type text not null,
  subject uuid not null,
  at timestamp(3) with time zone not null,
  actor_type text not null,
  actor_id uuid,
  request_id text,
  data json not null,
  constraint events_pkey PRIMARY KEY (account_id, sequence),
  constraint events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

create table idempotency_keys (
  account_id uuid not null,
  api_key_id uuid not null,
  key text collate "C" not null,
  request_sha256 bytea not null,
  claim_id uuid not null,
  claimed_at timestamp(3) with time zone not null,
  status smallint,
  body text,
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, api_key_id, key),
  constraint idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (account_id, claimed_at);

create table import_log_sizes (
  account_id uuid not null,
  refused_bytes bigint not null,
  constraint import_log_sizes_pkey PRIMARY KEY (account_id),
  constraint import_log_sizes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

create table imports (
  account_id uuid not null,
  id uuid not null,
  received_at timestamp(3) with time zone not null,
  channel text not null,
  api_key_id uuid,
  request_id text,
  "position" integer,
  file jsonb,
  payload text,
  outcome text not null,
  result json not null,
  settled_at timestamp(3) with time zone,
  settlement json,
  ignored_fields text[],
  run_id uuid,
  contact_version integer,
  settled_by uuid,
  undone_at timestamp(3) with time zone,
  dismissal json,
  constraint imports_pkey PRIMARY KEY (account_id, id),
  constraint imports_channel_check CHECK ((channel = ANY (ARRAY['single'::text, 'batch'::text, 'file'::text]))),
  constraint imports_outcome_check CHECK ((outcome = ANY (ARRAY['created'::text, 'merged'::text, 'refused'::text])))
);

CREATE INDEX imports_by_run ON public.imports USING btree (account_id, run_id, id) WHERE (run_id IS NOT NULL);
CREATE INDEX imports_open ON public.imports USING btree (account_id, id) WHERE ((outcome = 'refused'::text) AND (settled_at IS NULL));
CREATE INDEX imports_refused ON public.imports USING btree (account_id, received_at) WHERE (outcome = 'refused'::text);
CREATE INDEX imports_settled ON public.imports USING btree (account_id, settled_at) WHERE (settled_at IS NOT NULL);

create table known_networks (
  account_id uuid not null,
  user_id uuid not null,
  network text not null,
  signed_in_at timestamp(3) with time zone not null,
  constraint known_networks_pkey PRIMARY KEY (account_id, user_id, network),
  constraint known_networks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint known_networks_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE
);

create table media (
  account_id uuid not null,
  sha256 text collate "C" not null,
  ext text not null,
  bytes integer not null,
  width integer not null,
  height integer not null,
  created_at timestamp(3) with time zone not null,
  created_by_type text not null,
  created_by_id uuid not null,
  unused_since timestamp(3) with time zone,
  constraint media_pkey PRIMARY KEY (account_id, sha256),
  constraint media_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

CREATE INDEX media_list ON public.media USING btree (account_id, created_at, sha256);

create table merged_contacts (
  account_id uuid not null,
  id uuid not null,
  into_id uuid not null,
  constraint merged_contacts_pkey PRIMARY KEY (account_id, id),
  constraint merged_contacts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint merged_contacts_account_id_into_id_fkey FOREIGN KEY (account_id, into_id) REFERENCES contacts(account_id, id) ON DELETE CASCADE
);

CREATE INDEX merged_contacts_by_survivor ON public.merged_contacts USING btree (account_id, into_id);

create table projects (
  account_id uuid not null,
  id uuid not null,
  slug text collate "C" not null,
  name text not null,
  publication text not null,
  status text not null,
  development_description text,
  estimated_completion_date timestamp(3) with time zone,
  address_line_1 text,
  address_line_2 text,
  postal_code text,
  latitude double precision,
  longitude double precision,
  city_name text,
  region_name text,
  region_slug text,
  suburb_name text,
  project_website_url text,
  city_key text collate "C",
  region_key text collate "C",
  region_slug_key text collate "C",
  suburb_key text collate "C",
  updated_at timestamp(3) with time zone not null,
  version integer default 1 not null,
  revision timestamp(3) with time zone,
  hero_image json,
  gallery_images json not null,
  created_at timestamp(3) with time zone not null,
  name_key text collate "C" not null,
  search_text text not null,
  constraint projects_pkey PRIMARY KEY (account_id, id),
  constraint projects_slug_account_id_key UNIQUE (slug, account_id),
  constraint projects_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint projects_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint projects_live_check CHECK (((publication <> 'live'::text) OR (num_nulls(development_description, estimated_completion_date, address_line_1, postal_code, latitude, longitude, city_name, region_name, region_slug, suburb_name, project_website_url, city_key, region_key, region_slug_key, suburb_key) = 0))),
  constraint projects_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint projects_publication_check CHECK ((publication = ANY (ARRAY['draft'::text, 'live'::text, 'archived'::text]))),
  constraint projects_status_check CHECK ((status = ANY (ARRAY['Coming Soon'::text, 'Available'::text, 'Sold Out'::text, 'On Hold'::text, 'Completed'::text])))
);

CREATE INDEX projects_by_name ON public.projects USING btree (account_id, name_key, id) WHERE (version > 0);
CREATE INDEX projects_by_page ON public.projects USING btree (account_id, updated_at DESC) INCLUDE (id, status, region_key, region_slug_key, city_key, suburb_key) WHERE ((publication = 'live'::text) AND (updated_at IS NOT NULL));
CREATE UNIQUE INDEX projects_by_update ON public.projects USING btree (account_id, updated_at) WHERE (updated_at IS NOT NULL);

create table recovery_codes (
  account_id uuid not null,
  user_id uuid not null,
  code_sha256 bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (account_id, user_id, code_sha256),
  constraint recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint recovery_codes_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE
);

create table related_projects (
  account_id uuid not null,
  project_id uuid not null,
  related_project_id uuid not null,
  "position" integer not null,
  constraint related_projects_pkey PRIMARY KEY (account_id, project_id, related_project_id),
  constraint related_projects_account_id_project_id_fkey FOREIGN KEY (account_id, project_id) REFERENCES projects(account_id, id) ON DELETE CASCADE,
  constraint related_projects_account_id_related_project_id_fkey FOREIGN KEY (account_id, related_project_id) REFERENCES projects(account_id, id) ON DELETE CASCADE
);

CREATE INDEX related_projects_by_related ON public.related_projects USING btree (account_id, related_project_id, project_id) WHERE ("position" >= 0);

create table removed_projects (
  account_id uuid not null,
  id uuid not null,
  slug text collate "C" not null,
  removed_at timestamp(3) with time zone not null,
  constraint removed_projects_pkey PRIMARY KEY (account_id, id),
  constraint removed_projects_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

CREATE INDEX removed_projects_by_time ON public.removed_projects USING btree (account_id, removed_at);

create table schema_migrations (
  version integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp(3) with time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table second_steps (
  account_id uuid not null,
  user_id uuid not null,
  secret bytea,
  pending_secret bytea,
  last_step bigint not null,
  constraint second_steps_pkey PRIMARY KEY (account_id, user_id),
  constraint second_steps_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint second_steps_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE
);

create table sessions (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_sha256 bytea not null,
  previous_sha256 bytea,
  previous_until timestamp(3) with time zone,
  role text not null,
  created_at timestamp(3) with time zone not null,
  renewed_at timestamp(3) with time zone not null,
  seen_at timestamp(3) with time zone not null,
  confirmed_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null,
  user_agent text,
  address text not null,
  constraint sessions_pkey PRIMARY KEY (account_id, id),
  constraint sessions_previous_sha256_account_id_key UNIQUE (previous_sha256, account_id),
  constraint sessions_token_sha256_account_id_key UNIQUE (token_sha256, account_id),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint sessions_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE
);

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id, account_id);

create table sign_in_links (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  user_id uuid,
  token_sha256 bytea not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  remove_second_step boolean default false not null,
  constraint sign_in_links_pkey PRIMARY KEY (account_id, id),
  constraint sign_in_links_token_sha256_account_id_key UNIQUE (token_sha256, account_id),
  constraint sign_in_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint sign_in_links_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  constraint sign_in_links_check CHECK (((kind = 'start'::text) OR (user_id IS NOT NULL))),
  constraint sign_in_links_kind_check CHECK ((kind = ANY (ARRAY['start'::text, 'invite'::text, 'reset'::text])))
);

create table sweeps (
  name text not null,
  swept_at timestamp(3) with time zone not null,
  waited_ms integer,
  clock_checked_at timestamp(3) with time zone,
  constraint sweeps_pkey PRIMARY KEY (name)
);

create table tags (
  account_id uuid not null,
  id uuid not null,
  label text not null,
  label_key text collate "C" not null,
  version integer default 1 not null,
  renamed_from text,
  renamed_after timestamp(3) with time zone,
  constraint tags_pkey PRIMARY KEY (account_id, id),
  constraint tags_account_id_label_key_key UNIQUE (account_id, label_key),
  constraint tags_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

CREATE INDEX tags_renamed ON public.tags USING btree (account_id) WHERE (renamed_from IS NOT NULL);

create table units (
  account_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  "position" integer not null,
  name text not null,
  lot_number jsonb,
  unit_type text,
  status text not null,
  level jsonb,
  bedrooms double precision,
  bathrooms double precision,
  car_spaces double precision,
  aspect text,
  internal_area_sqm double precision,
  external_area_sqm double precision,
  land_area_sqm double precision,
  price double precision,
  price_display text,
  currency text,
  version integer default 1 not null,
  revision timestamp(3) with time zone,
  floor_plan_image json,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  name_key text collate "C" not null,
  search_text text not null,
  constraint units_pkey PRIMARY KEY (account_id, id),
  constraint units_project_id_account_id_id_key UNIQUE (project_id, account_id, id),
  constraint units_account_id_project_id_fkey FOREIGN KEY (account_id, project_id) REFERENCES projects(account_id, id) ON DELETE CASCADE,
  constraint units_bathrooms_check CHECK ((bathrooms >= (0)::double precision)),
  constraint units_bedrooms_check CHECK ((bedrooms >= (0)::double precision)),
  constraint units_car_spaces_check CHECK ((car_spaces >= (0)::double precision)),
  constraint units_external_area_sqm_check CHECK ((external_area_sqm >= (0)::double precision)),
  constraint units_internal_area_sqm_check CHECK ((internal_area_sqm >= (0)::double precision)),
  constraint units_land_area_sqm_check CHECK ((land_area_sqm >= (0)::double precision)),
  constraint units_price_check CHECK ((price >= (0)::double precision)),
  constraint units_status_check CHECK ((status = ANY (ARRAY['Coming Soon'::text, 'Available'::text, 'On Hold'::text, 'Reserved'::text, 'Under Contract'::text, 'Unconditional'::text, 'Settled'::text, 'Withdrawn'::text]))),
  constraint units_unit_type_check CHECK ((unit_type = ANY (ARRAY['Apartment'::text, 'Townhouse'::text, 'House'::text, 'Land'::text, 'Commercial'::text, 'Other'::text])))
);

CREATE INDEX units_by_name ON public.units USING btree (account_id, name_key, id) INCLUDE (project_id, status, unit_type, bedrooms, price, updated_at) WHERE (version > 0);
CREATE INDEX units_by_position ON public.units USING btree (account_id, "position", id) INCLUDE (project_id, status, unit_type, bedrooms, price, updated_at) WHERE (version > 0);
CREATE INDEX units_by_price ON public.units USING btree (account_id, price, id) INCLUDE (project_id, status, unit_type, bedrooms, updated_at) WHERE (version > 0);
CREATE INDEX units_by_project ON public.units USING btree (account_id, project_id, "position", id) INCLUDE (status, unit_type, bedrooms, price, updated_at) WHERE (version > 0);
CREATE INDEX units_by_status ON public.units USING btree (account_id, status) WHERE (version > 0);
CREATE INDEX units_by_update ON public.units USING btree (account_id, updated_at, id) INCLUDE (project_id, status, unit_type, bedrooms, price) WHERE (version > 0);
CREATE INDEX units_by_word ON public.units USING gin (search_text gin_trgm_ops) WITH (gin_pending_list_limit='1024');

create table users (
  account_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text collate "C" not null,
  name text not null,
  active boolean not null,
  version integer default 1 not null,
  revision timestamp(3) with time zone,
  role text default 'agent'::text not null,
  created_at timestamp(3) with time zone,
  password text,
  signed_in_at timestamp(3) with time zone,
  theme text,
  constraint users_pkey PRIMARY KEY (account_id, id),
  constraint users_email_key_account_id_key UNIQUE (email_key, account_id),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'agent'::text, 'viewer'::text]))),
  constraint users_theme_check CHECK ((theme = ANY (ARRAY['system'::text, 'light'::text, 'dark'::text])))
);

create table views (
  account_id uuid not null,
  id uuid not null,
  resource text not null,
  name text not null,
  name_key text not null,
  filter jsonb not null,
  sort text,
  columns jsonb,
  shared boolean not null,
  owner_type text not null,
  owner_id uuid not null,
  version integer default 1 not null,
  constraint views_pkey PRIMARY KEY (account_id, id),
  constraint views_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

create table webhook_deliveries (
  account_id uuid not null,
  webhook_id uuid not null,
  sequence bigint not null,
  type text not null,
  subject uuid not null,
  contact_id uuid,
  event_at timestamp(3) with time zone not null,
  status text not null,
  attempt integer not null,
  http_status integer,
  ms integer,
  error text,
  response_start text,
  at timestamp(3) with time zone not null,
  next_attempt_at timestamp(3) with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (account_id, webhook_id, sequence),
  constraint webhook_deliveries_account_id_webhook_id_fkey FOREIGN KEY (account_id, webhook_id) REFERENCES webhooks(account_id, id) ON DELETE CASCADE,
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

CREATE INDEX webhook_deliveries_by_time ON public.webhook_deliveries USING btree (account_id, at);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (account_id, webhook_id, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_of_contact ON public.webhook_deliveries USING btree (account_id, contact_id) WHERE (response_start IS NOT NULL);
CREATE INDEX webhook_deliveries_open ON public.webhook_deliveries USING btree (account_id, webhook_id, sequence) WHERE (status <> 'delivered'::text);
CREATE INDEX webhook_deliveries_tried ON public.webhook_deliveries USING btree (account_id, webhook_id, at) WHERE ((status = 'pending'::text) AND (attempt > 0));

create table webhooks (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  types text[] not null,
  with_objects boolean not null,
  bulk text not null,
  ordered boolean not null,
  headers bytea,
  header_names text[] not null,
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  created_by_type text not null,
  created_by_id uuid,
  version integer default 1 not null,
  disabled_reason text,
  cursor bigint not null,
  last_success_at timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  failures integer default 0 not null,
  step integer default 0 not null,
  paused_until timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  lease uuid,
  lease_until timestamp(3) with time zone,
  constraint webhooks_pkey PRIMARY KEY (account_id, id),
  constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);

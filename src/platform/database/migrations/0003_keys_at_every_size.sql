-- On a table without statistics an index that begins with account_id seems as good as the one that names a row, and
-- PostgreSQL took these two for it: a check of a link's project then read all projects of the account, 20,000 for each
-- lead. The column that tells rows apart comes first in them, as in contacts_by_email.

alter table projects
  drop constraint projects_account_id_slug_key,
  add constraint projects_slug_account_id_key unique (slug, account_id);

alter table contact_links drop constraint contact_links_account_id_project_id_unit_id_fkey;
alter table units
  drop constraint units_account_id_project_id_id_key,
  add constraint units_project_id_account_id_id_key unique (project_id, account_id, id);
alter table contact_links
  add constraint contact_links_account_id_project_id_unit_id_fkey
  foreign key (account_id, project_id, unit_id) references units (account_id, project_id, id);

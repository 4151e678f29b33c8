-- Before this file runs, `fillProjectNames` in src/platform/database/project-names.ts fills these columns.
alter table projects alter column name_key set not null;
alter table projects alter column search_text set not null;
-- `version > 0` is always true, and only lists say it, so that no look-up uses this index.
create index projects_by_name on projects (account_id, name_key, id) where version > 0;
-- The projects that show another one beside them. Its condition is always true, too, and only their look-up says it.
create index related_projects_by_related on related_projects (account_id, related_project_id, project_id) where "position" >= 0;

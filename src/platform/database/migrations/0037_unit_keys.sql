-- The names by which lists of units sort and search. Before the next of these migrations, `prepareUnitLists` in
-- src/platform/database/unit-keys.ts fills those of older units.
alter table units add column name_key text collate "C";
alter table units add column search_text text;

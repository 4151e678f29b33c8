-- The names of the members of a lead that are no fields of an import, which was imported without them; null: none.
alter table imports add column ignored_fields text[];

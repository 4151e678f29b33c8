-- What the latest dry run of a contact file would leave out of rows, or take otherwise, the commonest first.
alter table contact_files add column remarks json;

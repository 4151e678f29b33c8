-- As in 0003: on a table without statistics PostgreSQL took this index for the look-up of a user by id, and read all users of
-- the account for each lead.
alter table users drop constraint users_account_id_email_key_key;
alter table users add constraint users_email_key_account_id_key unique (email_key, account_id);

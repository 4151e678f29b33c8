-- The theme as one byte: null is that of the system. Without statistics PostgreSQL guesses how many rows a table has by the
-- width of a row, and with rows as wide as those of texts it would look people up by the wrong index.
alter table users drop column theme;
alter table users add column dark_theme boolean;

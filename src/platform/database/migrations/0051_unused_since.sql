-- A picture was deleted 30 days after its upload if nothing used it, and so within an hour after somebody removed it from a page.
-- Count from the time at which nothing used it any more.
alter table media add column unused_since timestamptz(3);

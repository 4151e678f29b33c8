-- What the figures count by time. `version > 0` is always true, and only lists and figures say it.
create index activities_enquiries on activities (account_id, occurred_at, contact_id) where type = 'enquiry' and version > 0;
create index imports_refused on imports (account_id, received_at) where outcome = 'refused';
-- The first answer to a contact.
create index activities_answers on activities (account_id, contact_id, occurred_at)
  where type in ('call', 'email', 'text', 'meeting', 'viewing') and version > 0;

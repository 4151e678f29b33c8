/** The sources and the buyer types of the API. */
export const SOURCES = [
  'Website',
  'Referral',
  'Social Media',
  'Open Home',
  'Agent',
  'Other',
] as const;
export const BUYER_TYPES = [
  'First Home Buyer',
  'Investor',
  'Downsizer',
  'Upgrader',
  'Other',
] as const;

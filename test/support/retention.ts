import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The retention that a new installation has, and a folder without pictures. */
export const RETENTION = {
  importLogDays: 90,
  eventDays: 30,
  contactFileDays: 7,
  webhookDeliveryDays: 7,
  unusedPictureDays: 30,
  mediaDir: join(tmpdir(), 'offplan-no-pictures'),
};

export { createClient, type Answer, type ClientOptions, type OffplanClient } from './client.ts';
export { followEvents, type Event, type EventBatch, type FollowOptions } from './events.ts';
export { listItems, listProjects } from './pages.ts';
export { ProblemError, type Problem } from './problem.ts';
export { syncStock, type StockChanges, type StockState } from './stock.ts';
export {
  followContactFile,
  uploadContactFile,
  uploadPicture,
  type ContactFile,
  type ContactFileUpload,
  type StoredPicture,
  type Upload,
} from './uploads.ts';
export {
  verifyWebhook,
  WebhookError,
  type VerifyOptions,
  type WebhookFault,
  type WebhookHeaders,
} from './webhooks.ts';
export type { components, paths } from './schema.ts';

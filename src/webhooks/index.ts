export { createWebhookWorker } from './deliver/worker.ts';
export { webhookRoutes } from './routes.ts';
export { createWebhookSeal, listWebhookSecrets } from './secrets.ts';
export { makeSender } from './send/index.ts';
export { readWebhookObjects } from './service.ts';
export { deleteOldDeliveries, eraseResponses, lockOutcomes } from './store.ts';

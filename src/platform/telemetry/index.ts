export { IMPORT_ASKED, IMPORTS } from './channels.ts';
export { listenForScrapes } from './endpoint.ts';
export { gauge, merged, type Family } from './exposition.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { answerFamilies, pendingFamilies } from './service.ts';
export type { Traces } from './traces.ts';

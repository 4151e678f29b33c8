export { IMPORT_ASKED, IMPORTS } from './channels.ts';
export type { Metrics } from './metrics.ts';
export type { ProcessMetrics } from './render.ts';
export type { Traces } from './traces.ts';

/** Loads prom-client, for a service with a port for metrics. */
export const loadMetrics = () => import('./metrics.ts');

/** Loads OpenTelemetry, for a service that sends traces. */
export const loadTraces = () => import('./traces.ts');

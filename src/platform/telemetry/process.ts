import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { version } from '../config/index.ts';

/** Adds the metrics of a Node.js process, under the names that dashboards know, and the release. */
export function collectProcessMetrics(register: Registry): void {
  const registers = [register];
  collectDefaultMetrics({ register });
  new Gauge({
    name: 'offplan_info',
    help: 'The release, and the Node.js that it runs on.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1);
  let since = performance.eventLoopUtilization();
  const utilization = new Gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'The share of the time since the last scrape in which the event loop was busy.',
    registers,
    collect: () => {
      const now = performance.eventLoopUtilization();
      utilization.set(performance.eventLoopUtilization(now, since).utilization);
      since = now;
    },
  });
}

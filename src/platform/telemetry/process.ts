import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { version } from '../config/index.ts';
import { counter, gauge, type Family } from './exposition.ts';

/** How often the event loop's lag is looked at. */
const RESOLUTION_MS = 20;
const NS = 1e9;

/** What a Node.js process says of itself, under the names that dashboards know. */
export function createProcessMeter(): () => Family[] {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let utilized = performance.eventLoopUtilization();

  return () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, utilized);
    utilized = now;
    const lags = { p50: delay.percentile(50), p99: delay.percentile(99), max: delay.max };
    delay.reset();
    const one = (name: string, help: string, value: number): Family =>
      gauge(name, help, [{ labels: {}, value }]);
    return [
      gauge('offplan_info', 'The release, and the Node.js that it runs on.', [
        { labels: { version, node: process.versions.node }, value: 1 },
      ]),
      ...Object.entries(lags).map(([which, ns]) =>
        one(
          `nodejs_eventloop_lag_${which}_seconds`,
          `How late timers were since the last scrape, ${which}.`,
          Math.max(ns / NS - RESOLUTION_MS / 1_000, 0),
        ),
      ),
      one(
        'nodejs_eventloop_utilization',
        'The share of the time since the last scrape in which the event loop was busy.',
        utilization,
      ),
      counter('process_cpu_seconds_total', 'Processor time.', [
        { labels: {}, value: (user + system) / 1e6 },
      ]),
      one('process_resident_memory_bytes', 'Memory that is resident.', rss),
      one('nodejs_heap_size_total_bytes', "V8's heap.", heapTotal),
      one('nodejs_heap_size_used_bytes', "What is used of V8's heap.", heapUsed),
      one('nodejs_external_memory_bytes', 'Memory of buffers and the like.', external),
      one(
        'process_start_time_seconds',
        'When the process was started, since 1970.',
        performance.timeOrigin / 1_000,
      ),
    ];
  };
}

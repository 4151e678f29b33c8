import { AggregatorRegistry } from 'prom-client';

/** The metrics of one process, in the form in which a worker sends them to the first process. */
export type ProcessMetrics = {
  name: string;
  help: string;
  type: unknown;
  values: { value: number; labels: object }[];
}[];

/** Renders the metrics of the first process and of the workers, by number, as text. The label `worker` is the number. */
export function renderMetrics(
  first: ProcessMetrics,
  workers = new Map<number, ProcessMetrics | undefined>(),
): Promise<string> {
  const processes = [
    withWorker(0, first),
    ...[...workers].map(([worker, metrics]) =>
      withWorker(worker, [upMetric(metrics !== undefined), ...(metrics ?? [])]),
    ),
  ];
  return AggregatorRegistry.aggregate(processes).metrics();
}

// The label makes each series unique, so that a sum leaves every value as it is.
function withWorker(worker: number, metrics: ProcessMetrics): object[] {
  return metrics.map((metric) => ({
    ...metric,
    aggregator: 'sum',
    values: metric.values.map((value) => ({ ...value, labels: { worker, ...value.labels } })),
  }));
}

function upMetric(isUp: boolean): ProcessMetrics[number] {
  const help = 'Whether a worker answers.';
  const values = [{ value: isUp ? 1 : 0, labels: {} }];
  return { name: 'offplan_worker_up', help, type: 'gauge', values };
}

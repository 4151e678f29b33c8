type Labels = Record<string, string | number>;

/** One value of a metric. */
interface Sample {
  suffix?: '_bucket' | '_sum' | '_count';
  labels: Labels;
  value: number;
}

/** A metric with all its values. */
export interface Family {
  name: string;
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  samples: Sample[];
}

export function counter(name: string, help: string, samples: Sample[]): Family {
  return { name, type: 'counter', help, samples };
}

export function gauge(name: string, help: string, samples: Sample[]): Family {
  return { name, type: 'gauge', help, samples };
}

/** The metrics of several processes as one, the label `worker` telling them apart. */
export function merged(processes: Map<number, Family[]>): Family[] {
  const families = new Map<string, Family>();
  for (const [worker, all] of processes)
    for (const { name, samples, ...rest } of all) {
      const family = families.get(name) ?? { name, ...rest, samples: [] };
      families.set(name, family);
      for (const { labels, ...sample } of samples)
        family.samples.push({ ...sample, labels: { worker, ...labels } });
    }
  return [...families.values()];
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Prometheus' text format. */
export function exposition(families: Family[]): string {
  return families.map(familyText).join('');
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = '', labels, value }) =>
      `${name}${suffix}${labelsText(labels)} ${valueText(value)}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsText(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return all.length === 0 ? '' : `{${all.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function valueText(value: number): string {
  return value === Infinity ? '+Inf' : String(value);
}

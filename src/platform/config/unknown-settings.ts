import { listSettings, readConfig } from './config.ts';
import type { Environment } from './reader.ts';

const PREFIX = 'OFFPLAN_';
/**
 * Variables with the prefix that are not settings: `compose.yaml` reads the first two, and Kubernetes sets the others for a
 * service.
 */
const FOREIGN = /^OFFPLAN_(VERSION|PUBLISH|SERVICE_(HOST|PORT)\w*|PORT_\d+_\w+)$/;

/** Describes each variable OFFPLAN_… that is not a setting, and names the setting that it resembles most, if one is similar. */
export async function describeUnknownSettings(
  environment: Environment = process.env,
): Promise<string[]> {
  const settings = Object.keys(listSettings(readConfig({}, {})));
  const unknown = Object.keys(environment).filter(
    (name) =>
      name.startsWith(PREFIX) &&
      !settings.includes(name) &&
      !isForeign(name, environment[name]?.trim() ?? ''),
  );
  if (unknown.length === 0) return [];
  const { default: leven } = await import('leven');
  // Compare without the prefix, so that OFFPLAN_LOG_LEVEL is near LOG_LEVEL.
  const strip = (name: string): string => name.replace(PREFIX, '');
  return unknown.toSorted().map((name) => {
    const distances = settings.map((each) => leven(strip(name), strip(each)));
    const distance = Math.min(...distances);
    const fault = `${name} is not a setting`;
    if (distance > strip(name).length / 2) return `${fault}.`;
    return `${fault}; the nearest one is ${settings[distances.indexOf(distance)]}.`;
  });
}

function isForeign(name: string, value: string): boolean {
  return value === '' || FOREIGN.test(name) || value.startsWith('tcp://');
}

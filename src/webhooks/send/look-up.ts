import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { isPublicAddress } from './address.ts';

/**
 * Finds the addresses of a name for a new connection, and refuses all when one is not public. Node connects to one of the
 * addresses that this returns and looks nothing up again, so a name server cannot change its answer in between.
 *
 * It asks the name servers itself: `dns.lookup` would take a thread of a small pool for as long as a server is silent, and
 * delay the names of all other endpoints.
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  findPublicAddresses(hostname, (error, addresses) => {
    if (error) callback(error, []);
    else if (options.all) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  });
};

const findPublicAddresses = callbackify(async (hostname: string): Promise<LookupAddress[]> => {
  const answers = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
  const addresses = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled'
      ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  const [ipv4] = answers;
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
  if (!addresses.every(({ address }) => isPublicAddress(address)))
    throw new Error('the name leads to an address that is not in the public internet');
  return addresses;
});

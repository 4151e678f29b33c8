/** The accounts that a poll asks for a job; null for all accounts. */
export type Polled = string[] | null;

/**
 * Creates the set of accounts to poll. Accounts that were named come before a poll of all: on a Citus, a poll of one account asks one
 * shard, and succeeds while another worker is down.
 */
export function createPollRequests() {
  const named = new Set<string>();
  let includesAll = false;
  /** Whether to poll each named account alone, since a poll of several failed and one of them may be the cause. */
  let isOneByOne = false;

  function add(polled: Polled): void {
    if (polled === null) includesAll = true;
    else for (const accountId of polled) named.add(accountId);
  }

  return {
    isEmpty: (): boolean => !includesAll && named.size === 0,

    add,

    /** Removes and returns the accounts of the next poll. */
    take(): Polled {
      if (named.size === 0) {
        includesAll = false;
        return null;
      }
      const polled = [...named].slice(0, isOneByOne ? 1 : undefined);
      for (const accountId of polled) named.delete(accountId);
      if (named.size === 0) isOneByOne = false;
      return polled;
    },

    /** Adds the accounts of a poll that failed, to poll each alone. A poll that failed alone waits for its next request. */
    addEach(polled: Polled): void {
      if (polled === null || polled.length === 1) return;
      add(polled);
      isOneByOne = true;
    },
  };
}

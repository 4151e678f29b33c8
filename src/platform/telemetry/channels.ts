import { channel, tracingChannel } from 'node:diagnostics_channel';

/** Publishes a submission in the async context of the request that makes it. */
export const IMPORT_ASKED = channel('offplan.import.asked');

/** Traces each run of submissions that are imported together. */
export const IMPORTS = tracingChannel<unknown, { submissions: object[] }>('offplan.import');

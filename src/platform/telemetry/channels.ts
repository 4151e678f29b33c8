import { channel, tracingChannel } from 'node:diagnostics_channel';

/** Told of a submission in the course of the request that asks for it. */
export const IMPORT_ASKED = channel('offplan.import.asked');

/** Told of each run of submissions that are imported together. */
export const IMPORTS = tracingChannel<unknown, { submissions: object[] }>('offplan.import');

import { runGroup } from '../groups.ts';

await runGroup(import.meta.filename);

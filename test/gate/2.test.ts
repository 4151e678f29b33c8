import { runGroup } from '../groups.ts';

await runGroup('{volume,browser}/*.test.ts');

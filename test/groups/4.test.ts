import { runGroup } from '../groups.ts';

await runGroup('*.test.ts');

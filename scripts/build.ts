import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const SERVICE = path('dist/service');

/**
 * Bundles the service into `dist/service`: `main.js` for the command, `converter.js` for the process that converts pictures, and a file
 * for each part that loads later. TypeBox is in the bundle, since only a third of its 373 files is used; `npm` installs the others.
 */
rmSync(SERVICE, { recursive: true, force: true });
const bundle = await rolldown({
  input: { main: path('src/cli/main.ts'), converter: path('src/media/converter.ts') },
  external: (id) => !/^(\.|\/|typebox$)/.test(id),
  platform: 'node',
});
await bundle.write({ dir: SERVICE, chunkFileNames: '[name]-[hash].js' });
await bundle.close();

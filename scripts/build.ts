import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const SERVICE = process.argv[2] ?? path('dist/service');

// Bundles the service into dist/service, or into the folder that an argument names: main.js for the command, converter.js for the
// process that converts pictures, and a file for each part that loads later. TypeBox is in the bundle, because the service uses
// only a quarter of its code, and a bundle leaves the rest out. npm installs the other libraries.
rmSync(SERVICE, { recursive: true, force: true });
const bundle = await rolldown({
  input: { main: path('src/cli/main.ts'), converter: path('src/media/converter.ts') },
  external: (id) => !/^(\.|\/|typebox$)/.test(id),
  platform: 'node',
});
await bundle.write({ dir: SERVICE, chunkFileNames: '[name]-[hash].js' });
await bundle.close();

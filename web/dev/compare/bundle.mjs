// Make one file of compare.ts and all it imports: node dev/compare/bundle.mjs FOLDER
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const entry = fileURLToPath(new URL('compare.ts', import.meta.url));
await build({
  configFile: false,
  logLevel: 'error',
  publicDir: false,
  build: { lib: { entry, formats: ['es'], fileName: 'compare' }, outDir: process.argv[2], minify: false },
});

/// <reference types="vitest/config" />
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite'; // not vitest's: that is installed for the tests alone

/** The server answers with the same page at every address, so there it names its files from the root. */
const fromTheRoot: Plugin = {
  name: 'from-the-root',
  transformIndexHtml: { order: 'post', handler: (html) => html.replaceAll(/(src|href)="\.\//g, '$1="/') },
};

// The built client goes where the server serves it from; the folder is git-ignored and carried by the wheel. Its parts
// find each other by relative paths, so that `tavolino site` can put the same files into any folder of any web host.
export default defineConfig(({ command }) => ({
  base: command === 'build' ? './' : '/',
  plugins: [svelte(), fromTheRoot],
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  worker: { format: 'es' },
  build: {
    outDir: '../src/tavolino/server/static',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // light-dark() stays as it is
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': { target: process.env.TAVOLINO ?? 'http://127.0.0.1:8000', ws: true } } },
  // One process for all files: to make a DOM and to load the page's modules for each takes longer than most tests do.
  test: { environment: 'jsdom', testTimeout: 300_000, include: ['src/**/*.test.ts'], isolate: false, maxWorkers: 1 },
}));

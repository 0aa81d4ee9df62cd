/// <reference types="vitest/config" />
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite'; // not vitest's: that is installed for the tests alone

// The built client goes where the server serves it from; the folder is git-ignored and carried by the wheel.
export default defineConfig({
  plugins: [svelte()],
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
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
  test: { environment: 'jsdom', testTimeout: 300_000, include: ['src/**/*.test.ts'] },
});

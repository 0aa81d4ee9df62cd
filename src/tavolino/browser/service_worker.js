// The page works offline: its files are kept by this worker, checked by their digests. `tavolino site` writes FILES.
const FILES = {};
const VERSION = '';
const CACHE = `tavolino ${self.registration.scope} ${VERSION}`;
const LATER = /\.net$/; // weights of the strong bots: large, so they come when they are asked for, or when all else is there
const url = (path) => new URL(path, self.registration.scope).href;
const mine = async () => (await caches.keys()).filter((name) => name.startsWith(`tavolino ${self.registration.scope} `));

/** Fetch a file, and refuse it if it is not the one that belongs to this version. */
async function fresh(path) {
  const response = await fetch(url(path), { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const digest = await crypto.subtle.digest('SHA-256', await response.clone().arrayBuffer());
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (!hex.startsWith(FILES[path])) throw new Error(`${path} belongs to another version`);
  return response;
}

/** Keep a file; what another version kept under the same digest is not fetched again. */
async function keep(path) {
  const cache = await caches.open(CACHE);
  const key = `${url(path)}?${FILES[path]}`;
  if (await cache.match(key)) return;
  const known = await caches.match(key);
  await cache.put(key, known ?? (await fresh(path)));
}

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all(Object.keys(FILES).filter((path) => !LATER.test(path)).map(keep)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await mine()) if (name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('message', (event) => {
  if (event.data === 'take over') void self.skipWaiting(); // only when someone says so: a game may be going on
  if (event.data === 'keep all')
    event.waitUntil(
      (async () => {
        for (const path of Object.keys(FILES)) await keep(path).catch(() => undefined); // one after the other, in the background
        for (const client of await self.clients.matchAll()) client.postMessage('all kept');
      })(),
    );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const asked = new URL(request.url).pathname.slice(new URL(self.registration.scope).pathname.length);
  const path = request.mode === 'navigate' || asked === '' ? 'index.html' : decodeURIComponent(asked);
  if (!(path in FILES)) return;
  event.respondWith(
    (async () => {
      const key = `${url(path)}?${FILES[path]}`;
      const known = await (await caches.open(CACHE)).match(key);
      if (known) return known;
      await keep(path);
      return (await (await caches.open(CACHE)).match(key)) ?? fetch(request);
    })().catch(() => fetch(request)),
  );
});

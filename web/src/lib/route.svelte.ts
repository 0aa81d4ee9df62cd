/** The page's address: `/`, `/t/ID`, `/t/ID/replay/N`, `/rules/GAME`, `/learn/GAME`. */
export type Route =
  | { page: 'home' }
  | { page: 'table'; id: string }
  | { page: 'replay'; id: string; game: number }
  | { page: 'rules'; game: string }
  | { page: 'learn'; game: string }
  | { page: 'lost' };

export function parse(path: string): Route {
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  const [head, first, second, third] = parts;
  if (head === undefined) return { page: 'home' };
  if (head === 't' && first !== undefined && second === undefined) return { page: 'table', id: first };
  if (head === 't' && first !== undefined && second === 'replay') return { page: 'replay', id: first, game: Number(third ?? 0) || 0 };
  if ((head === 'rules' || head === 'learn') && first !== undefined) return { page: head, game: first };
  return { page: 'lost' };
}

let path = $state(location.pathname);

export const route = {
  get now(): Route {
    return parse(path);
  },
};

export function go(to: string): void {
  history.pushState(null, '', to);
  path = location.pathname;
  scrollTo(0, 0);
}

/** Change the address's search without a new page (the place in a replay, to share). */
export function note(search: URLSearchParams): void {
  history.replaceState(null, '', `${location.pathname}?${search}`);
}

window.addEventListener('popstate', () => (path = location.pathname));

/** Our own links change the page without loading it again. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/') || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search);
});

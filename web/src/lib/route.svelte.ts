import { pageOf } from '../games';
import { games, infoOf } from './games.svelte';

/** The page's address: `/`, `/t/ID`, `/t/ID/replay/N`, `/rules/GAME`, `/learn/GAME`. */
export type Route =
  | { page: 'home' }
  | { page: 'table'; id: string }
  | { page: 'replay'; id: string; game: number }
  | { page: 'rules'; game: string }
  | { page: 'learn'; game: string }
  /** Nothing of ours: `game`, if a game was meant that there is not. */
  | { page: 'lost'; meant: 'rules' | 'learn' | null; game: string };

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a broken address is still an address
  }
}

/** Whether there is such a game, and a lesson for it; until the server has said so, we believe it. */
const known = (page: 'rules' | 'learn', game: string): boolean =>
  (games.all.length === 0 || infoOf(game) !== undefined) && (page === 'rules' || pageOf(game).lesson !== undefined);

export function parse(path: string): Route {
  const [head, first, second, third, ...more] = path.split('/').filter(Boolean).map(decoded);
  const lost: Route = { page: 'lost', meant: null, game: '' };
  if (head === undefined) return { page: 'home' };
  if (more.length > 0) return lost;
  if (head === 't' && first !== undefined) {
    if (second === undefined) return { page: 'table', id: first };
    if (second === 'replay' && /^\d{0,4}$/.test(third ?? '')) return { page: 'replay', id: first, game: Number(third ?? 0) };
  }
  if ((head === 'rules' || head === 'learn') && second === undefined)
    return first !== undefined && known(head, first) ? { page: head, game: first } : { page: 'lost', meant: head, game: first ?? '' };
  return lost;
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

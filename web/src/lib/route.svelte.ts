import { pageOf } from '../games';
import { hrefOf, SITE } from '../local/site';
import { games, infoOf } from './games.svelte';

/** The page's address: `/`, `/t/ID`, `/t/ID/replay/N`, `/t/ID/review/N`, `/t/ID/screen`, `/rules/GAME`, `/learn/GAME`; behind `#` where no server answers. */
export type Route =
  | { page: 'home' }
  | { page: 'table'; id: string }
  | { page: 'screen'; id: string }
  | { page: 'replay'; id: string; game: number }
  | { page: 'review'; id: string; game: number }
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
    if (second === 'screen' && third === undefined && !SITE) return { page: 'screen', id: first };
    if ((second === 'replay' || second === 'review') && /^\d{0,4}$/.test(third ?? ''))
      return { page: second, id: first, game: Number(third ?? 0) };
  }
  if ((head === 'rules' || head === 'learn') && second === undefined)
    return first !== undefined && known(head, first) ? { page: head, game: first } : { page: 'lost', meant: head, game: first ?? '' };
  return lost;
}

/** The path and the search that the address holds now; another `#` than a page's is a place on the page that is shown. */
function address(before = '/'): string {
  if (!SITE) return location.pathname + location.search;
  return location.hash.startsWith('#/') ? location.hash.slice(1) : before;
}

let now = $state(address());
const path = $derived(now.split('?')[0]!);

export const route = {
  get now(): Route {
    return parse(path);
  },
};

export function go(to: string): void {
  history.pushState(null, '', hrefOf(to));
  now = address();
  scrollTo(0, 0);
}

/** What stands behind `?` in the address. */
export const search = (): URLSearchParams => new URLSearchParams(address().split('?')[1]);

/** Change the address's search without a new page (the place in a replay, to share). */
export function note(search: URLSearchParams): void {
  history.replaceState(null, '', hrefOf(`${address().split('?')[0]}?${search}`));
}

window.addEventListener('popstate', () => (now = address(now)));

/** Our own links change the page without loading it again. */
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/') || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search);
});

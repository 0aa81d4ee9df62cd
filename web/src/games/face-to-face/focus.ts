/** Where the keys lead: from pile to pile, and between the piles and the hand. */
import type { Way } from './types';
import type { Place } from './words';

/** Focus a card of a seat's hand, or, as it leaves, the one beside it. */
export function focusCard(root: HTMLElement | undefined, seat: number, card: number, stays: boolean): void {
  const cards = [...(root?.querySelectorAll<HTMLElement>('.hcard') ?? [])];
  const found = cards.findIndex((element) => element.dataset.card === `${seat}:${card}`);
  cards[stays ? found : found > 0 ? found - 1 : found + 1]?.focus();
}

export function focusPile(root: HTMLElement | undefined, place: Place): void {
  root?.querySelector<HTMLElement>(`[data-pile="${place.of}:${place.pile}"]`)?.focus();
}

/** Follow an arrow key from a pile, `of:way`; tell whether it led somewhere. */
export function fromPile(root: HTMLElement | undefined, pile: string, key: string, me: number): boolean {
  const [of, way] = pile.split(':') as [string, Way];
  const below = Number(of) === me;
  if (key === 'ArrowLeft' || key === 'ArrowRight') focusPile(root, { of: Number(of), pile: way === 'up' ? 'down' : 'up' });
  else if (key === 'ArrowUp' && below) focusPile(root, { of: 1 - me, pile: way });
  else if (key === 'ArrowDown' && !below) focusPile(root, { of: me, pile: way });
  else if (key === 'ArrowDown') root?.querySelector<HTMLElement>('.hcard[tabindex="0"]')?.focus();
  else return false;
  return true;
}

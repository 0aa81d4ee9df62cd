/** FLIP: cards are measured where they were, and travel from there to where they are now. Nothing waits for it. */
import type { CardLaid } from './types';

const TRAVEL = 240;
const STEP = 15; // between cards that leave together
const OUT = 'cubic-bezier(.3,.6,.3,1)';

export type Places = Map<string, DOMRect>;

/** Where every card (`data-card`) and every source of cards (`data-place`) is on the screen now. */
export function measure(root: HTMLElement): Places {
  const places: Places = new Map();
  for (const element of root.querySelectorAll<HTMLElement>('[data-card], [data-place]')) {
    const rect = element.getBoundingClientRect();
    if (rect.width > 0) places.set((element.dataset.card ?? element.dataset.place)!, rect);
  }
  return places;
}

/** Let what moved travel: a known card from where it was, a new one from its owner's draw pile or hidden hand. */
export function travel(table: HTMLElement, from: Places, back: boolean, laid: CardLaid[]): void {
  const cards = [...table.querySelectorAll<HTMLElement>('[data-card]:not(.drag)')];
  const places = cards.map((element) => element.getBoundingClientRect()); // all before the first one moves
  let nth = 0;
  cards.forEach((element, i) => {
    const key = element.dataset.card!;
    const owner = key.split(':')[0]!;
    const onPile = element.classList.contains('top');
    const known = from.get(key);
    const source = known ?? (back && onPile ? undefined : from.get(onPile ? `hand:${owner}` : `draw:${owner}`));
    if (source) arrive(element, source, places[i]!, !known, known ? 0 : nth++);
  });
  for (const { back, of, pile } of laid) if (back) dip(table.querySelector(`[data-pile="${of}:${pile}"] .top .orb`));
}

/** Let an element arrive from a rectangle; `turned`: face down at first. */
function arrive(element: HTMLElement, from: DOMRect, to: DOMRect, turned: boolean, nth: number): void {
  if (to.width === 0 || typeof element.animate !== 'function') return;
  const dx = from.left + from.width / 2 - to.left - to.width / 2;
  const dy = from.top + from.height / 2 - to.top - to.height / 2;
  const scale = from.width / to.width;
  const far = Math.hypot(dx, dy);
  if (far < 2 && Math.abs(scale - 1) < 0.02) return;
  const lift = Math.min(18, far / 8);
  const tilt = far > 60 ? Math.sign(dx || 1) * -3 : 0;
  const timing = { duration: TRAVEL, delay: nth * STEP, easing: OUT, fill: 'backwards' as const };
  element.animate(
    [
      { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, zIndex: 40 },
      {
        transform: `translate(${dx * 0.35}px, ${dy * 0.35 - lift}px) scale(${scale + (1.04 - scale) * 0.65}) rotate(${tilt}deg)`,
        zIndex: 40,
        offset: 0.4,
      },
      { transform: 'translate(0, 0) scale(1.04)', zIndex: 40, offset: 0.8 },
      { transform: 'none', zIndex: 40 },
    ],
    timing,
  );
  if (!turned) return;
  const round = { duration: TRAVEL, delay: nth * STEP, fill: 'backwards' as const };
  element
    .querySelector('.turns')
    ?.animate([{ scale: '1 1' }, { scale: '0 1', offset: 0.4 }, { scale: '1 1', offset: 0.8 }, { scale: '1 1' }], round);
  element
    .querySelector('.reverse')
    ?.animate(
      [{ visibility: 'visible' }, { visibility: 'visible', offset: 0.4 }, { visibility: 'hidden', offset: 0.4 }, { visibility: 'hidden' }],
      round,
    );
}

/** The sun dips and springs up, once. */
function dip(element: Element | null | undefined): void {
  if (!element || typeof element.animate !== 'function') return;
  element.animate(
    [{ translate: '0 0' }, { translate: '0 14px', offset: 0.4 }, { translate: '0 -5px', offset: 0.75 }, { translate: '0 0' }],
    {
      duration: 260,
      delay: TRAVEL / 2,
      easing: 'ease-out',
    },
  );
}

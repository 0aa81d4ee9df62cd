// Things that travel: from where they were to where they are, on the compositor, never in the way of a hand.
import { still } from '../../lib/moving';

const OUT = 'cubic-bezier(.2,.9,.25,1)';

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Let an element arrive from a box: `scale` is how many screen pixels one of its own pixels has. */
export function arrive(element: Element, from: Box, to: Box, scale: number): void {
  if (still()) return;
  const dx = (from.left + from.width / 2 - to.left - to.width / 2) / scale;
  const dy = (from.top + from.height / 2 - to.top - to.height / 2) / scale;
  const size = from.width / to.width;
  const lift = -0.12 * Math.hypot(dx, dy);
  element.animate(
    [
      { transform: `translate(${dx}px, ${dy}px) scale(${size}) rotate(-3deg)` },
      { transform: `translate(${dx * 0.4}px, ${dy * 0.4 + lift}px) scale(${(size + 1) / 2 + 0.08}) rotate(3deg)`, offset: 0.4 },
      { transform: 'translate(0, 0) scale(1.05)', offset: 0.78 },
      { transform: 'none' },
    ],
    { duration: 280, easing: OUT },
  );
}

/** Send a passing element from one box to another, then take it away. */
export function send(element: HTMLElement, from: Box, to: Box, within: Element, lasts = 290): void {
  const frame = within.getBoundingClientRect();
  const place = (box: Box, size: number) =>
    `translate(${box.left + box.width / 2 - frame.left}px, ${box.top + box.height / 2 - frame.top}px) translate(-50%, -50%) scale(${size})`;
  within.append(element);
  const travel = element.animate(
    [
      { transform: place(from, 0.8), opacity: 0 },
      { transform: place(from, 1.15), opacity: 1, offset: 0.15 },
      { transform: place(to, 0.9), opacity: 1, offset: 0.85 },
      { transform: place(to, 0.6), opacity: 0 },
    ],
    { duration: lasts, easing: 'cubic-bezier(.6,0,.3,1)', fill: 'both' },
  );
  travel.onfinish = () => element.remove();
  travel.oncancel = () => element.remove();
}

/** A small nod: something changed here. */
export function nod(element: Element | null | undefined): void {
  if (!element || still()) return;
  element.animate([{ transform: 'none' }, { transform: 'translateY(-4px)' }, { transform: 'none' }], { duration: 220, easing: OUT });
}

/** A band lights up once, as its row is closed: a brighter twin fades in and out above it. */
export function glow(band: Element | null): void {
  if (!band || still()) return;
  const twin = band.cloneNode() as SVGElement;
  delete twin.dataset.row;
  twin.style.strokeOpacity = '0.85';
  band.after(twin);
  const light = twin.animate([{ opacity: 0 }, { opacity: 1 }, { opacity: 0 }], { duration: 290, easing: 'ease-in-out' });
  light.onfinish = light.oncancel = () => twin.remove();
}

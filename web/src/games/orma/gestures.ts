// Moving the eye by hand: one finger or the mouse pans, two pinch, the wheel zooms at the pointer; a touch that stays is a tap.

import { pan, zoom } from './camera';
import type { Camera, Size } from './camera';

interface Point {
  x: number;
  y: number;
}

export interface Eye {
  camera: () => Camera;
  size: () => Size;
  look: (camera: Camera) => void;
  /** A hand holds the ground, or has let go. */
  hold: (held: boolean) => void;
  tap: (point: Point) => void;
}

/** A finger that moves less than this means to tap. */
const SLACK = 8;
const WHEEL_RESTS = 120;

/** Attach to the element that shows the ground. */
export function byHand({ camera, size, look, hold, tap }: Eye) {
  return (pane: HTMLElement): (() => void) => {
    const fingers = new Map<number, Point>();
    let start: Point | null = null;
    let rest: ReturnType<typeof setTimeout>;
    // Read once a gesture: the pane stays where it is while a hand is on it.
    let box = { left: 0, top: 0 };
    const local = (event: MouseEvent): Point => ({ x: event.clientX - box.left, y: event.clientY - box.top });

    function down(event: PointerEvent): void {
      if (event.button !== 0) return;
      box = pane.getBoundingClientRect();
      fingers.set(event.pointerId, local(event));
      start = fingers.size === 1 ? local(event) : null;
    }

    function move(event: PointerEvent): void {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = local(event);
      if (fingers.size === 1) {
        if (start && Math.hypot(now.x - start.x, now.y - start.y) < SLACK) return;
        if (!pane.hasPointerCapture(event.pointerId)) pane.setPointerCapture(event.pointerId);
        start = null;
        hold(true);
        look(pan(camera(), now.x - before.x, now.y - before.y));
      } else if (fingers.size === 2) {
        const other = [...fingers].find(([id]) => id !== event.pointerId)![1];
        const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
        hold(true);
        const panned = pan(camera(), (now.x - before.x) / 2, (now.y - before.y) / 2);
        look(zoom(panned, factor, (now.x + other.x) / 2, (now.y + other.y) / 2, size()));
      }
      fingers.set(event.pointerId, now);
    }

    function up(event: PointerEvent): void {
      if (!fingers.delete(event.pointerId)) return;
      if (event.type === 'pointerup' && start && !fingers.size) tap(local(event));
      start = null;
      if (!fingers.size) hold(false);
    }

    function wheel(event: WheelEvent): void {
      event.preventDefault();
      box = pane.getBoundingClientRect();
      const point = local(event);
      const lines = event.deltaMode === 1 ? 20 : 1;
      hold(true);
      look(zoom(camera(), Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), point.x, point.y, size()));
      clearTimeout(rest);
      rest = setTimeout(() => hold(false), WHEEL_RESTS);
    }

    const away = new AbortController();
    const { signal } = away;
    pane.addEventListener('pointerdown', down, { signal });
    pane.addEventListener('pointermove', move, { signal });
    pane.addEventListener('pointerup', up, { signal });
    pane.addEventListener('pointercancel', up, { signal });
    pane.addEventListener('wheel', wheel, { passive: false, signal });
    return () => {
      away.abort();
      clearTimeout(rest);
    };
  };
}

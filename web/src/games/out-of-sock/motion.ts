/** Movement: nothing blocks, everything can be finished at once, nothing moves for those who ask for calm. */
import { still } from '../../lib/moving';

const running = new Set<Animation>();

/** Animate, unless the browser or its owner would rather not; `skippable` ones end at the next tap. */
export function animate(
  element: Element | null | undefined,
  frames: Keyframe[],
  options: KeyframeAnimationOptions,
  skippable = false,
): Animation | null {
  if (!element || typeof element.animate !== 'function' || still()) return null;
  const animation = element.animate(frames, options);
  if (skippable) {
    running.add(animation);
    animation.finished.then(
      () => running.delete(animation),
      () => running.delete(animation),
    );
  }
  return animation;
}

/** Let all dice lie at once. */
export function skip(): void {
  for (const animation of running) animation.finish();
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where an element is inside another. */
export function boxIn(root: Element, element: Element): Box {
  const frame = root.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  return { x: box.x - frame.x + root.scrollLeft, y: box.y - frame.y + root.scrollTop, width: box.width, height: box.height };
}

/** How a die tumbles from (dx, dy) to where it lies: thrown up, knocking twice, `spin` turns. */
export function tumble(dx: number, dy: number, spin: number): Keyframe[] {
  const lift = Math.min(160, 60 + Math.abs(dx) * 0.2);
  const at = (part: number, up: number, turn: number, scale: number): Keyframe => ({
    offset: part,
    transform: `translate(${dx * (1 - ease(part))}px, ${dy * (1 - ease(part)) - up}px) rotate(${turn}deg) scale(${scale})`,
  });
  return [
    { ...at(0, 0, spin, 0.55), easing: 'ease-out' },
    { ...at(0.32, lift, spin * 0.55, 1.16), easing: 'ease-in' },
    { ...at(0.66, 0, spin * 0.16, 1), easing: 'ease-out' },
    { ...at(0.8, lift * 0.14, spin * 0.05, 1.04), easing: 'ease-in' },
    { ...at(0.92, 0, 0, 1), easing: 'ease-out' },
    at(1, 0, 0, 1),
  ];
}

const ease = (part: number): number => 1 - (1 - part) ** 2.2;

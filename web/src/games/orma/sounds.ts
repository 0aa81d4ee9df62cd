import type { GameEvent } from '../../lib/board';
import { step, tone } from '../../lib/sound.svelte';

/** Felt, a step higher for each token of a row: a long row is a tune. */
export function hear(event: GameEvent): void {
  if (event.type === 'token_laid')
    tone({ pitch: 196 * step(Math.max(0, Number(event.length ?? 1) - 1)), lasts: 0.2, loud: 0.12, shape: 'triangle' });
  else if (event.type === 'token_drawn') tone({ pitch: 150, lasts: 0.1, loud: 0.1 });
}

import type { GameEvent } from '../../lib/board';
import { paper, tone } from '../../lib/sound.svelte';

export function hear(event: GameEvent): void {
  if (event.type === 'cards_drawn') paper(0.05);
  if (event.type !== 'card_laid') return;
  if (event.back) {
    tone({ pitch: 659, lasts: 0.2 });
    tone({ pitch: 523, after: 0.09, lasts: 0.22 });
  }
  paper();
}

import type { GameEvent } from '../../lib/board';
import { paper, tone } from '../../lib/sound.svelte';

export function hear(event: GameEvent): void {
  if (event.type === 'card_shown') paper(0.05);
  else if (event.type === 'card_taken') {
    paper();
    if (String(event.card).endsWith(':ban')) tone({ pitch: 180, lasts: 0.12, loud: 0.14, bend: 2.2 });
  } else if (event.type === 'dice_rolled')
    for (const [i, face] of ((event.dice ?? []) as number[]).entries())
      tone({ pitch: 260 + 45 * face, after: 0.35 + 0.05 * i, lasts: 0.06, loud: 0.1, shape: 'triangle', bend: 0.6 });
}

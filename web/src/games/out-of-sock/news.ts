/** What happened, in words: for the basket's corner and for those who listen. */
import type { Text } from './text';
import { change } from './art';
import type { SockEvent } from './types';
import { sayCard } from './words';

/** Tell a list of events as one short line; empty if there is nothing to say. */
export function tell(words: Text, events: SockEvent[], you: number | null, nameOf: (seat: number) => string): string {
  const said: string[] = [];
  const skipped = events.some((event) => event.type === 'turn_skipped');
  events.forEach((event, i) => {
    switch (event.type) {
      case 'basket_shaken':
        said.push(
          event.seat === you ? words.news.youShaken({ aim: event.aim }) : words.news.shaken({ name: nameOf(event.seat), aim: event.aim }),
        );
        break;
      case 'dice_rolled':
        said.push((skipped ? words.news.skipped : words.news.fell)({ n: event.dice.length }));
        break;
      case 'way_chosen':
        if (event.seat === you) said.push(event.way === 'split' ? words.news.youSplit() : words.news.youSingle());
        else said.push(words.news[event.way]({ name: nameOf(event.seat) }));
        break;
      case 'card_taken': {
        const next = events[i + 1];
        const points = next?.type === 'points_changed' ? next.change : 0;
        const what = { card: sayCard(words, event.card), points: change(points) };
        said.push(event.seat === you ? words.news.youTook(what) : words.news.took({ name: nameOf(event.seat), ...what }));
        break;
      }
      case 'deck_emptied':
        said.push(words.news.emptied({ n: event.deck }));
        break;
      case 'winner_named':
        said.push(event.winner === you ? words.news.youNamed() : words.news.named({ name: nameOf(event.winner) }));
    }
  });
  return said.join(' ');
}

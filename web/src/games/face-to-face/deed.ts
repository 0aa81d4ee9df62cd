import { DOT, type Teller, type Told } from '../../lib/telling';
import { text } from './text';

/** A move in words, such as `u17` or `end`, and what was drawn after it. */
export function deed({ seat, words: [word = ''], events }: Told, { names, you }: Teller): string {
  const t = text().moves;
  const pile = /^([udUD])(\d+)$/.exec(word);
  if (!pile && word !== 'end') return word;
  const laid = events?.find((one) => one.type === 'card_laid');
  const drawn = events?.find((one) => one.type === 'cards_drawn');
  const other = seat === 0 ? 1 : 0;
  const to = other === you ? t.toYou() : t.to({ name: names[other] ?? '' });
  const key = (pile?.[1] ?? 'end') as 'u';
  const parts = [t[seat === you ? (`you${key}` as 'youu') : key]({ card: pile?.[2] ?? '', to } as { card: string })];
  if (laid?.back) parts.push(t.back());
  if (drawn) parts.push(t.drawn({ n: Number(drawn.count) }) + (drawn.cards ? ` (${(drawn.cards as number[]).join(', ')})` : ''));
  return parts.join(DOT);
}

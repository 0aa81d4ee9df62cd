import { DOT, signed, SPACE, type Teller, type Told } from '../../lib/telling';
import { listed } from '../../lib/names';
import { text } from './text';
import { readCard, sayCard } from './words';

/** A move in words, such as `take:3`, the dice that fell after it, and the points it brought. */
export function deed(told: Told, teller: Teller): string {
  const [word = '', ...dice] = told.words;
  const parts = [told.seat === null ? fell(word, told) : act(word, told, teller), ...dice.map((roll) => fell(roll, told))];
  const changes = (told.events ?? []).filter((one) => one.type === 'points_changed' && one.seat === told.seat);
  return [...parts, ...signed(changes.reduce((sum, one) => sum + Number(one.change), 0))].join(DOT);
}

/** A card in a few letters: "red ×2"; read aloud it is "red Double". */
function brief(card: string, aloud: boolean): string {
  const { suit, socks, special } = readCard(card);
  if (aloud && special) return sayCard(text(), card);
  return `${text().suit[suit]()} ${special ? { double: '×2', conversion: '±', ban: '⊘' }[special] : socks}`;
}

/** The dice that fell by themselves. */
function fell(word: string, { events }: Told): string {
  const t = text().moves;
  const dice = word.split(':')[1]?.split(',').filter(Boolean) ?? [];
  const said = dice.length === 0 ? t.rollNone() : t.roll({ n: dice.length, dice: dice.join(SPACE) });
  return events?.some((one) => one.type === 'turn_skipped') ? `${said}, ${t.skipped()}` : said;
}

function act(word: string, { seat, events }: Told, { LL, names, you, aloud = false }: Teller): string {
  const t = text().moves;
  const mine = seat === you;
  const taken = (events ?? []).filter((one) => one.type === 'card_taken');
  const cards = listed(
    taken.map((one) => brief(String(one.card), aloud)),
    LL,
  );
  const [head, rest = ''] = word.split(':') as [string, string?];
  switch (head) {
    case 'shake':
      return (mine ? t.youshake : t.shake)({ n: rest });
    case 'split':
      return mine ? t.yousplit() : t.split();
    case 'single':
      if (taken.length === 0) return mine ? t.yousingle() : t.single();
      return (mine ? t.yousingleCards : t.singleCards)({ cards, deck: String(taken[0]!.deck) });
    case 'take':
      if (taken.length === 0) return (mine ? t.youtake : t.take)({ deck: rest });
      return (mine ? t.youtakeCard : t.takeCard)({ card: cards, deck: rest });
    case 'winner':
      return (mine ? t.youwinner : t.winner)({ name: !mine && Number(rest) === you ? t.self() : (names[Number(rest)] ?? rest) });
    case 'roll': // real dice, typed in
      if (rest === '') return mine ? t.youtypedNone() : t.typedNone();
      return (mine ? t.youtyped : t.typed)({ dice: rest.replaceAll(',', SPACE) });
  }
  return word;
}

/** Moves as sentences everyone can read. The notation is the server's (`u17`, `green@r3`, `take:3`); no rule is known here. */
import type { GameEvent } from './board';
import type { LL } from './i18n.svelte';
import { listed } from './names';

/** One decision, with the dice that fell after it: a line of the log. */
export interface Told {
  seat: number | null;
  /** Of whoever sat there then. */
  name: string;
  words: string[];
  /** What the server told about it; null while we do not know. */
  events: GameEvent[] | null;
}

export interface Teller {
  LL: LL;
  /** As shown here, by seat. */
  names: string[];
  /** Who sits there now, as the server calls them: whoever made a move under another name keeps that one. */
  seated?: string[];
  /** The seat that is "you"; null for spectators. */
  you: number | null;
  /** The colours of the rows of Orma, the oldest first (`rowsOf`). */
  rows?: string[];
}

const SPACE = '\u00a0'; // what stays on one line
const DOT = ` ·${SPACE}`;

type Colour = keyof LL['shell']['colour'];

function colour(name: string, LL: LL): string {
  return LL.shell.colour[name as Colour]?.() ?? name;
}

/** A card of Out of Sock, such as "red:double". */
export function sockCard(card: string, LL: LL): string {
  const [suit = '', kind = ''] = card.split(':');
  const sign = { double: '×2', conversion: '±', ban: '⊘' }[kind] ?? kind;
  return `${colour(suit, LL)} ${sign}`;
}

/** The colours of the rows that were begun, as Orma numbers them. */
export function rowsOf(told: Told[]): string[] {
  return told.flatMap((one) => one.words.flatMap((word) => /^(\w+)@b/.exec(word)?.[1] ?? []));
}

/** Moves and who made them (null: dice), a decision each with the dice that fell after it. */
export function decisions(words: string[], movers: (number | null)[], name: (seat: number | null) => string): Told[] {
  const found: Told[] = [];
  words.forEach((word, i) => {
    const seat = movers[i] ?? null;
    const last = found[found.length - 1];
    if (seat === null && last) last.words.push(word);
    else found.push({ seat, name: name(seat), words: [word], events: null });
  });
  return found;
}

/** Whoever made a move, as they are called here; empty for dice. */
export function whoOf({ seat, name }: Told, { LL, names, seated = names, you }: Teller): string {
  if (seat === null) return '';
  if (seat === you) return LL.shell.you();
  return name === '' || name === seated[seat] ? (names[seat] ?? name) : name;
}

/** What somebody does, without the name: "lays 17 on the pile going up". */
export function deed(told: Told, teller: Teller): string {
  const [word = '', ...dice] = told.words;
  const parts = [told.seat === null ? fell(word, told, teller) : act(word, told, teller)];
  parts.push(...dice.map((roll) => fell(roll, told, teller)));
  const points = scored(told);
  if (points !== 0) parts.push(points > 0 ? `+${points}` : `−${-points}`);
  return parts.join(DOT);
}

function scored({ seat, events }: Told): number {
  const gains = (events ?? []).filter((one) => one.seat === seat && (one.type === 'points_scored' || one.type === 'points_changed'));
  return gains.reduce((sum, one) => sum + Number(one.type === 'points_scored' ? one.points : one.change), 0);
}

/** The dice that fell of themselves. */
function fell(word: string, { events }: Told, { LL }: Teller): string {
  const { sock } = LL.shell.moves;
  const dice = word.split(':')[1]?.split(',').filter(Boolean) ?? [];
  const said = dice.length === 0 ? sock.rollNone() : sock.roll({ n: dice.length, dice: dice.join(SPACE) });
  return events?.some((one) => one.type === 'turn_skipped') ? `${said}, ${sock.skipped()}` : said;
}

function act(word: string, told: Told, teller: Teller): string {
  const { LL, names, you, rows } = teller;
  const mine = told.seat === you;
  const events = told.events ?? [];
  const { face, orma, sock } = LL.shell.moves;
  const pile = /^([udUD])(\d+)$/.exec(word);
  if (pile || word === 'end') {
    const laid = events.find((one) => one.type === 'card_laid');
    const drawn = events.find((one) => one.type === 'cards_drawn');
    const other = told.seat === 0 ? 1 : 0; // it is a game for two
    const to = other === you ? face.toYou() : face.to({ name: names[other] ?? '' });
    const key = (pile?.[1] ?? 'end') as 'u';
    const needs = { card: pile?.[2] ?? '', to };
    const parts = [face[mine ? (`you${key}` as 'youu') : key](needs)];
    if (laid?.back) parts.push(face.back());
    if (drawn) parts.push(face.drawn({ n: Number(drawn.count) }) + (drawn.cards ? ` (${(drawn.cards as number[]).join(', ')})` : ''));
    return parts.join(DOT);
  }
  const drew = events.find((one) => one.type === 'token_drawn')?.colour;
  if (word === 'draw' && drew) return (mine ? orma.youdrew : orma.drew)({ colour: colour(String(drew), LL) });
  if (word === 'draw' || word === 'keep' || word === 'pass') return mine ? orma[`you${word}`]() : orma[word]();
  const token = /^(\w+)@([br])(\d+)$/.exec(word);
  if (token) {
    const [, laid = '', place, number] = token;
    const kind = place === 'b' ? 'start' : laid === 'black' ? 'close' : 'add';
    const row = rows?.[Number(number)];
    if (kind !== 'close') return (mine ? orma[`you${kind}`] : orma[kind])({ colour: colour(laid, LL) });
    if (row === undefined) return mine ? orma.youclose() : orma.close();
    return (mine ? orma.youcloseRow : orma.closeRow)({ colour: colour(row, LL) });
  }
  const taken = events.filter((one) => one.type === 'card_taken');
  const cards = listed(
    taken.map((one) => sockCard(String(one.card), LL)),
    LL,
  );
  const [head, rest = ''] = word.split(':') as [string, string?];
  switch (head) {
    case 'shake':
      return (mine ? sock.youshake : sock.shake)({ n: rest });
    case 'split':
      return mine ? sock.yousplit() : sock.split();
    case 'single':
      if (taken.length === 0) return mine ? sock.yousingle() : sock.single();
      return (mine ? sock.yousingleCards : sock.singleCards)({ cards, deck: String(taken[0]!.deck) });
    case 'take':
      return taken.length === 0
        ? (mine ? sock.youtake : sock.take)({ deck: rest })
        : (mine ? sock.youtakeCard : sock.takeCard)({ card: cards, deck: rest });
    case 'winner':
      return (mine ? sock.youwinner : sock.winner)({ name: !mine && Number(rest) === you ? sock.self() : (names[Number(rest)] ?? rest) });
    case 'roll': // real dice, typed in
      return rest === ''
        ? mine
          ? sock.youtypedNone()
          : sock.typedNone()
        : (mine ? sock.youtyped : sock.typed)({ dice: rest.replaceAll(',', SPACE) });
  }
  return word;
}

/** The whole sentence: "Salvia lays 17 on the pile going up". */
export function sentence(told: Told, teller: Teller): string {
  const what = deed(told, teller);
  const { says, youSay } = teller.LL.shell.moves;
  if (told.seat === null) return what.charAt(0).toUpperCase() + what.slice(1);
  return told.seat === teller.you ? youSay({ what }) : says({ name: whoOf(told, teller), what });
}

/** Moves as sentences everyone can read. The notation is the server's (`u17`, `green@r3`, `take:3`); no rule is known here. */
import type { GameEvent } from './board';
import type { LL } from './i18n.svelte';

export interface Told {
  seat: number | null;
  word: string;
  /** What the server told about it, when we were there. */
  events: GameEvent[];
}

interface Teller {
  LL: LL;
  names: string[];
  /** The seat that is "you"; null for spectators. */
  you: number | null;
}

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

/** What somebody does, without the name: "lays 17 on the pile going up". */
export function deed({ word, events, seat }: Told, { LL, names, you }: Teller): string {
  const mine = seat !== null && seat === you;
  const { face, orma, sock } = LL.shell.moves;
  const pile = /^([udUD])(\d+)$/.exec(word);
  if (pile) {
    const key = (mine ? `you${pile[1]}` : pile[1]) as 'u';
    const laid = events.find((one) => one.type === 'card_laid');
    return face[key]({ card: pile[2]! }) + (laid?.back ? ` · ${face.back()}` : '');
  }
  if (word === 'end') return mine ? face.youend() : face.end();
  if (word === 'draw' || word === 'keep' || word === 'pass') return mine ? orma[`you${word}`]() : orma[word]();
  if (word === 'split' || word === 'single') return mine ? sock[`you${word}`]() : sock[word]();
  const token = /^(\w+)@([br])(\d+)$/.exec(word);
  if (token) {
    const kind = token[2] === 'b' ? 'start' : token[1] === 'black' ? 'close' : 'add';
    const said = (mine ? orma[`you${kind}`] : orma[kind])({ colour: colour(token[1]!, LL) });
    const scored = events.find((one) => one.type === 'points_scored' && Number(one.points) > 0);
    return scored ? `${said} · ${LL.shell.moves.points({ n: Number(scored.points) })}` : said;
  }
  const [head, rest = ''] = word.split(':') as [string, string?];
  switch (head) {
    case 'shake':
      return (mine ? sock.youshake : sock.shake)({ n: rest });
    case 'take': {
      const taken = events.find((one) => one.type === 'card_taken');
      if (!taken) return (mine ? sock.youtake : sock.take)({ deck: rest });
      return (mine ? sock.youtakeCard : sock.takeCard)({ card: sockCard(String(taken.card), LL), deck: rest });
    }
    case 'winner':
      return (mine ? sock.youwinner : sock.winner)({ name: names[Number(rest)] ?? rest });
    case 'roll': {
      const dice = rest === '' ? [] : rest.split(',');
      return dice.length === 0 ? sock.rollNone() : sock.roll({ n: dice.length, dice: dice.join(' ') });
    }
  }
  return word;
}

/** The whole sentence: "Salvia lays 17 on the pile going up". */
export function sentence(told: Told, teller: Teller): string {
  const what = deed(told, teller);
  const { says, youSay } = teller.LL.shell.moves;
  if (told.seat === null) return what.charAt(0).toUpperCase() + what.slice(1);
  return told.seat === teller.you ? youSay({ what }) : says({ name: teller.names[told.seat] ?? '', what });
}

/** What is agreed on before a game, as the page asks for it and says it. */
import { pageOf } from '../games';
import type { OptionField } from '../games/contract';
import { infoOf } from './games.svelte';
import type { LL } from './i18n.svelte';
import type { ClockSettings } from './messages';

/** What can be chosen about a game; the seats are another matter. */
export interface Agreed {
  options: Record<string, unknown>;
  games: number;
  starts: 'rotate' | 'trailing';
  clock: ClockSettings | null;
  hints: boolean;
}

export const PLAIN: Agreed = { options: {}, games: 1, starts: 'rotate', clock: null, hints: true };

export const fieldsOf = (game: string): OptionField[] => {
  const info = infoOf(game);
  return info ? pageOf(game).options(info) : [];
};

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Which choice of an option holds: the first one where nothing was chosen. */
export const choiceOf = ({ name, choices }: OptionField, options: Record<string, unknown>): number =>
  Math.max(
    0,
    choices.findIndex(({ value }) => same(value, options[name])),
  );

function clockSaid({ kind, seconds }: ClockSettings, LL: LL): string {
  const minutes = Math.round(seconds / 60);
  if (kind === 'bank') return LL.sheet.bankClock({ n: minutes });
  return seconds < 60 ? LL.sheet.moveClock({ n: seconds }) : LL.sheet.moveMinutes({ n: minutes });
}

/** What was agreed, in a few words each; what a game does anyway is not said. */
export function said(game: string, agreed: Agreed, LL: LL): string[] {
  const parts = [agreed.games === 1 ? LL.sheet.oneGame() : LL.sheet.nGames({ n: agreed.games })];
  if (agreed.games > 1 && agreed.starts === 'trailing') parts.push(`${LL.sheet.starts()}: ${LL.sheet.trailing()}`);
  for (const field of fieldsOf(game)) {
    const choice = choiceOf(field, agreed.options);
    if (choice > 0) parts.push(`${field.label}: ${field.choices[choice]!.label}`);
  }
  parts.push(agreed.clock ? clockSaid(agreed.clock, LL) : LL.sheet.noClock());
  if (agreed.clock?.zero === 'lose') parts.push(`${LL.sheet.zero()}: ${LL.sheet.zeroLose()}`);
  parts.push(agreed.hints ? LL.sheet.hints() : LL.room.noHints());
  return parts;
}

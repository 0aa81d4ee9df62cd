/** How quickly one thing follows another at a table, as this browser's owner likes it. */
import { remember, remembered } from './storage';

export const PACES = ['slow', 'natural', 'fast'] as const;
export type Pace = (typeof PACES)[number];
const TIMES: Record<Pace, number> = { slow: 2, natural: 1, fast: 0.4 };

const first = remembered('pace');
let pace = $state<Pace>(PACES.includes(first as Pace) ? (first as Pace) : 'natural');

export const tempo = {
  get pace(): Pace {
    return pace;
  },
  /** What every wait is multiplied by. */
  get times(): number {
    return TIMES[pace];
  },
};

export function setPace(wish: Pace): void {
  pace = wish;
  remember('pace', wish);
}

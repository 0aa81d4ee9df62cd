/** How Out of Sock is drawn: inks of the suits, signs of points, how crooked a die lies. The shapes are in the sprite. */
import type { Special, Suit } from './types';

export interface Ink {
  fill: string;
  deep: string;
  tint: string;
}

export const INK: Record<Suit, Ink> = {
  yellow: { fill: '#FAD13A', deep: '#6F5200', tint: '#FFF3C9' },
  green: { fill: '#23966C', deep: '#0D4E37', tint: '#D3EEE1' },
  pink: { fill: '#FAA6C8', deep: '#8C2457', tint: '#FFE6F0' },
  red: { fill: '#BF2436', deep: '#720F1D', tint: '#FBD9D8' },
  orange: { fill: '#EC6F14', deep: '#7A3200', tint: '#FFE3CB' },
  blue: { fill: '#2757AE', deep: '#15346C', tint: '#D7E3F8' },
};

export const MARK: Record<Special, string> = { conversion: '#mark-conv', double: '#mark-double', ban: '#mark-ban' };

/** A number with a true minus sign. */
export const figure = (n: number): string => String(n).replace('-', '−');

/** A change of points: always with its sign, but for 0. */
export const change = (n: number): string => (n > 0 ? `+${n}` : figure(n));

/** How crooked a die lies, in degrees: fixed by its place, so that it does not turn when others come and go. */
export const crooked = (place: number, i: number): number => [-9, 11, -4, 7, -12, 5, 9, -6][(place * 3 + i) % 8] ?? 0;

/** The drawings of Out of Sock as data: suits, drawn numerals, marks. Sizes are those of the pieces' own view boxes. */
import type { Suit } from './types';

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

export const SOCK =
  'M53 16H89V70C89 80 86 89 80 96C74 104 66 108 56 109L28 112C14 113 5 105 5 94C5 83 13 76 24 73L40 69C49 66 53 62 53 54Z';

export const HEART =
  'M10 15C3 10 3 4.5 6.5 4.5C8.5 4.5 9.6 6 10 7C10.4 6 11.5 4.5 13.5 4.5C17 4.5 17 10 10 15Z';

/** A drawn sign: its line, and how far the next one stands from it. */
export const SIGN: Record<string, { d: string; step: number }> = {
  '0': { d: 'M30 8C46 8 52 24 52 42C52 60 46 76 30 76C14 76 8 60 8 42C8 24 14 8 30 8Z', step: 65 },
  '1': { d: 'M8 22L27 8L27 76', step: 49 },
  '2': { d: 'M9 25C11 14 20 8 30 8C42 8 51 16 51 27C51 38 44 45 9 76L53 76', step: 65 },
  '3': { d: 'M11 8L48 8L28 33C42 32 52 42 52 54C52 67 42 76 29 76C19 76 11 71 7 63', step: 65 },
  '4': { d: 'M41 76L41 8L7 57L55 57', step: 65 },
  '5': { d: 'M49 8L17 8L13 38C18 33 24 31 31 31C44 31 52 40 52 53C52 67 42 76 29 76C19 76 11 71 7 64', step: 65 },
  '6': {
    d: 'M42 8C26 20 8 38 8 54C8 67 18 76 30 76C42 76 52 67 52 54.5C52 42 43 33 31 33C21 33 12 39 9 49',
    step: 65,
  },
  '7': { d: 'M7 8L52 8L24 76', step: 63 },
  '8': {
    d: 'M30 8C41 8 48 15 48 23.5C48 32 41 39 30 39C19 39 12 32 12 23.5C12 15 19 8 30 8ZM30 39C43 39 52 47 52 57.5C52 68 43 76 30 76C17 76 8 68 8 57.5C8 47 17 39 30 39Z',
    step: 65,
  },
  '9': { d: 'M18 76C34 64 52 46 52 30C52 17 42 8 30 8C18 8 8 17 8 29.5C8 42 17 51 29 51C39 51 48 45 51 35', step: 65 },
  '+': { d: 'M28 22V62M8 42H48', step: 61 },
  '−': { d: 'M8 42H44', step: 57 },
  '×': { d: 'M10 27L40 57M40 27L10 57', step: 55 },
  '?': { d: 'M8 24C9 14 17 8 27 8C38 8 46 15 46 25C46 37 28 39 27 54M27 75V75.5', step: 59 },
};

/** Lay signs in a row: their lines with places, and the width of all. */
export function row(text: string): { signs: { d: string; x: number }[]; width: number } {
  let x = 0;
  const signs = [...text].flatMap((sign) => {
    const drawn = SIGN[sign];
    if (!drawn) return [];
    const placed = { d: drawn.d, x };
    x += drawn.step;
    return [placed];
  });
  return { signs, width: x + 3 };
}

/** A number with a true minus sign. */
export const figure = (n: number): string => String(n).replace('-', '−');

/** A change of points: always with its sign, but for 0. */
export const change = (n: number): string => (n > 0 ? `+${n}` : figure(n));

/** How crooked a die lies: fixed by its place, so that it does not move when others do. */
export const crooked = (place: number, i: number): number => [-9, 11, -4, 7, -12, 5, 9, -6][(place * 3 + i) % 8] ?? 0;

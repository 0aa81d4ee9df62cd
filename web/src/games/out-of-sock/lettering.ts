/** The name, drawn in one line with round ends. */
import type { GamePage } from '../contract';

export const lettering: GamePage['lettering'] = {
  width: 655,
  strokes: [
    [0, 'M3 43A37 37 0 1 1 77 43A37 37 0 1 1 3 43Z'],
    [95, 'M5 34V60C5 72 13 80 25 80C37 80 44 71 44 58M44 34V80'],
    [160, 'M14 14V65C14 75 20 80 30 78M3 34H29'],
    [239, 'M4 57A23 23 0 1 1 50 57A23 23 0 1 1 4 57Z'],
    [308, 'M33 6C21 2 14 8 14 22V80M3 36H30'],
    [387, 'M50 19C46 10 38 6 29 6C17 6 8 13 8 24C8 36 18 40 30 42C43 45 52 50 52 61C52 73 42 80 30 80C18 80 9 75 6 66'],
    [460, 'M4 57A23 23 0 1 1 50 57A23 23 0 1 1 4 57Z'],
    [529, 'M44 71A23 23 0 1 1 44 43'],
    [592, 'M6 4V80M40 34L8 61M19 52L42 80'],
  ],
};

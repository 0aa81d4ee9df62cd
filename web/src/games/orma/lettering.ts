/** The name, drawn in one line with round ends. */
import type { GamePage } from '../contract';

export const lettering: GamePage['lettering'] = {
  width: 310,
  strokes: [
    [0, 'M3 43A37 37 0 1 1 77 43A37 37 0 1 1 3 43Z'],
    [95, 'M6 34V80M6 58C7 42 16 33 31 35'],
    [144, 'M6 34V80M6 55C6 42 13 34 23 34C33 34 40 41 40 53V80M40 55C40 42 47 34 57 34C67 34 73 41 73 53V80'],
    [237, 'M4 57A23 23 0 1 1 50 57A23 23 0 1 1 4 57ZM50 34V80'],
  ],
};

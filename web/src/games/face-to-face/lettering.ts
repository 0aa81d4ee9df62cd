/** The name, drawn in one line with round ends. */
import type { GamePage } from '../contract';

export const lettering: GamePage['lettering'] = {
  width: 708,
  strokes: [
    [0, 'M8 80V8H44M8 42H39'],
    [63, 'M4 57A23 23 0 1 1 50 57A23 23 0 1 1 4 57ZM50 34V80'],
    [134, 'M44 71A23 23 0 1 1 44 43'],
    [197, 'M5 57H49A22.5 23 0 1 0 42 73.5'],
    [294, 'M14 14V65C14 75 20 80 30 78M3 34H29'],
    [343, 'M4 57A23 23 0 1 1 50 57A23 23 0 1 1 4 57Z'],
    [442, 'M8 80V8H44M8 42H39'],
    [505, 'M4 57A23 23 0 1 1 50 57A23 23 0 1 1 4 57ZM50 34V80'],
    [576, 'M44 71A23 23 0 1 1 44 43'],
    [639, 'M5 57H49A22.5 23 0 1 0 42 73.5'],
  ],
};

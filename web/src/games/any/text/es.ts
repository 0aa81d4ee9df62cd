import type { Same } from '../../../i18n/types';
import type en from './en';

export default {
  turn: {
    yours: 'Te toca',
    yoursTo: 'Te toca: {verbs}',
    theirs: 'Juega {name}',
    chance: 'Un momento',
    wins: 'Gana {name}',
    youWin: 'Has ganado',
    over: 'La partida ha terminado',
  },
  or: 'o',
  others: 'Los demás',
  table: 'En la mesa',
  yours: 'Lo tuyo',
  moves: 'Lo que puedes hacer',
  more: '{n} más …',
  undo: 'Deshacer',
  oneTap: 'Jugar con un toque',
  hidden: '{n} ocultas',
  usable: '{n} de {all} {{n:sirve|sirven}} ahora',
  log: 'Hasta ahora',
  type: 'Escribe tu jugada',
  play: 'Jugar',
  hint: 'pista: {percent} de 100',
  score: 'puntos',
  yes: 'sí',
  no: 'no',
} satisfies Same<typeof en>;

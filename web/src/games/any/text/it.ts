import type { Same } from '../../../i18n/types';
import type en from './en';

export default {
  turn: {
    yours: 'Tocca a te',
    yoursTo: 'Tocca a te: {verbs}',
    theirs: 'Gioca {name}',
    chance: 'Un momento',
    wins: 'Vince {name}',
    youWin: 'Hai vinto',
    over: 'La partita è finita',
  },
  or: 'o',
  others: 'Gli altri',
  table: 'Sul tavolo',
  yours: 'In mano tua',
  moves: 'Che cosa puoi fare',
  more: 'altre {n} …',
  undo: 'Annulla',
  oneTap: 'Gioca con un tocco',
  hidden: '{n} coperte',
  usable: '{n} su {all} ora {{n:va|vanno}} bene',
  log: 'Finora',
  type: 'Scrivi la tua mossa',
  play: 'Gioca',
  hint: 'suggerimento: {percent} su 100',
  score: 'punti',
  yes: 'sì',
  no: 'no',
} satisfies Same<typeof en>;

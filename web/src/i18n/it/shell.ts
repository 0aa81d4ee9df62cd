import type { Same } from '../types';
import type en from '../en/shell';

export default {
  title: 'Tavolino',
} satisfies Same<typeof en>;

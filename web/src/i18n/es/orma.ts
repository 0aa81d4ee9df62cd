import type { Same } from '../types';
import type en from '../en/orma';

export default {
  title: 'Orma',
} satisfies Same<typeof en>;

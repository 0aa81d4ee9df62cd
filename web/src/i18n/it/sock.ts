import type { Same } from '../types';
import type en from '../en/sock';

export default {
  title: 'Out of Sock',
} satisfies Same<typeof en>;

import type { Same } from '../types';
import type en from '../en/face';

export default {
  title: 'Face to Face',
} satisfies Same<typeof en>;

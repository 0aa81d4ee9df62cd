/** The address under which other devices find this page: opened on this machine's own name, the server knows it. */
import { networkNow } from './api';

export interface Reach {
  origin: string;
  /** Whether other devices can open it at all. */
  open: boolean;
  /** Whether this browser can let other devices in. */
  mayOpen: boolean;
}

export const COMMAND = 'tavolino serve --host 0.0.0.0';

export async function reach(): Promise<Reach> {
  const { hostname, origin, port, protocol } = location;
  if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return { origin, open: true, mayOpen: false };
  try {
    const { open, address, may_open } = await networkNow();
    return { origin: address ? `${protocol}//${address}${port && `:${port}`}` : origin, open, mayOpen: may_open };
  } catch {
    return { origin, open: true, mayOpen: false }; // the link is shown as it is
  }
}

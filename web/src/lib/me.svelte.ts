/** The name others see, kept in this browser. */
import { remember, remembered } from './storage';

let name = $state(remembered('name') ?? '');

export const me = {
  get name(): string {
    return name;
  },
};

export function setName(wish: string): void {
  name = wish.trim().slice(0, 24);
  remember('name', name);
}

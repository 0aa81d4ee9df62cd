/** Display names by seat; an open seat has none yet. */
import type { LL } from './i18n.svelte';
import type { TableInfo } from './messages';

export function namesOf(table: TableInfo, LL: LL): string[] {
  return table.seats.map((seat, i) => {
    if (seat.kind === 'open') return LL.wait.free();
    const alike = table.seats.some((other, j) => j !== i && seat.you && other.you && other.name === seat.name);
    return alike ? `${seat.name} ${i + 1}` : seat.name; // one device, several people who gave no names
  });
}

/** "A, B and C". */
export function listed(names: string[], LL: LL): string {
  if (names.length <= 1) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${LL.end.and()} ${names[names.length - 1]}`;
}

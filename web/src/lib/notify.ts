/** A notification when it becomes your turn and the page is out of sight; only after someone asked for it. */
import { fileOf } from '../local/site';
import { remember, remembered } from './storage';

export const canNotify = (): boolean => 'Notification' in window && Notification.permission !== 'denied';
export const notifying = (): boolean => canNotify() && Notification.permission === 'granted' && remembered('notify') === 'on';

export async function askToNotify(): Promise<boolean> {
  if (!canNotify()) return false;
  const granted = (await Notification.requestPermission()) === 'granted';
  remember('notify', granted ? 'on' : 'off');
  return granted;
}

export function notify(text: string): void {
  if (!notifying() || document.visibilityState === 'visible') return;
  try {
    const shown = new Notification('Tavolino', { body: text, tag: 'tavolino-turn', icon: fileOf('icon.svg') });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // phones want a service worker for this; the tab's title says it too
  }
}

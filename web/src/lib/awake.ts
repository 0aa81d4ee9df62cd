/** Keep the screen from going dark while it is looked at, where the browser allows it; returns how to stop. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;
  const ask = async (): Promise<void> => {
    if (over || document.visibilityState !== 'visible' || (lock && !lock.released)) return;
    try {
      lock = (await navigator.wakeLock?.request('screen')) ?? null; // only over https, and not in every browser
      if (over) await lock?.release();
    } catch {
      // the battery is low, or a setting forbids it
    }
  };
  const asked = (): void => void ask();
  document.addEventListener('visibilitychange', asked);
  asked();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', asked);
    void lock?.release().catch(() => undefined);
  };
}

/** Give a link away: the device's own sheet where there is one, else the clipboard. Tells which. */
export async function share(title: string, url: string): Promise<'shared' | 'copied' | 'failed'> {
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ title, url });
      return 'shared';
    } catch (error) {
      if ((error as DOMException).name === 'AbortError') return 'shared';
    }
  }
  return (await copy(url)) ? 'copied' : 'failed';
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea'); // without https there is no clipboard
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

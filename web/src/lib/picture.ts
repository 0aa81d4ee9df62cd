/** A part of the page as a picture: drawn by the browser itself, with the page's own styles and drawings, and sent nowhere. */

/** All styles of the page; another origin's, if an extension brought some, cannot be read and are left out. */
function styles(): string {
  return [...document.styleSheets]
    .map((sheet) => {
      try {
        return [...sheet.cssRules].map((rule) => rule.cssText).join('\n');
      } catch {
        return '';
      }
    })
    .join('\n');
}

/** Draw an element of this size in pixels, by day, as a PNG. */
export async function pngOf(node: Element, width: number, height: number): Promise<Blob> {
  const page = document.createElement('div');
  page.style.cssText = `width:${width}px;height:${height}px;font:var(--w-body) var(--t-m)/var(--lh) var(--font);color:var(--ink)`;
  const style = document.createElement('style');
  style.textContent = `${styles()} :root { color-scheme: light; } *, *::before, *::after { animation: none !important; transition: none !important; }`;
  const drawings = document.querySelector('.sprite')?.cloneNode(true);
  page.append(style, ...(drawings ? [drawings] : []), node.cloneNode(true));
  const inside = new XMLSerializer().serializeToString(page);
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${inside}</foreignObject></svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')!.drawImage(image, 0, 0);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'));
}

/** Give a picture away: by the device's own sheet where it takes files, else as a download. Tells which. */
export async function sharePicture(blob: Blob, name: string, text: string): Promise<'shared' | 'saved'> {
  const files = [new File([blob], name, { type: 'image/png' })];
  if (navigator.canShare?.({ files })) {
    try {
      await navigator.share({ files, text });
      return 'shared';
    } catch (error) {
      if ((error as DOMException).name === 'AbortError') return 'shared';
    }
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return 'saved';
}

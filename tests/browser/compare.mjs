// Ask MicroPython what was asked natively, and compare the answers. Rules answer what they answered natively.
// Runs in Node and in browsers: returns {same, asked, ordered, different: [[asked, got, wanted]]}.
/** The same whatever the order of keys; messages are JSON in JSON. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value === 'string' && value.startsWith('{')) return sorted(JSON.parse(value));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

/** The fields of the views in an answer, in order: the board for any game lists them so. */
const fields = ({ say = [] }) =>
  say.map((text) => JSON.parse(text)).map(({ view, position }) => Object.entries(view ?? position ?? {}).map(([key, value]) => [key, Object.keys(value ?? {})]));

export async function compare({ packs, steps, calls, now, today }, loadMicroPython) {
  let count = 0;
  const python = await loadMicroPython({ heapsize: 16 << 20 });
  python.registerJsModule('host', {
    now: () => String(now),
    wall: () => String(today),
    random_hex: (length) => (count++).toString(16).padStart(2 * length, '0'),
    normalize: (form, text) => text.normalize(form),
    category: (character) => [...'LNPSMZC'].find((kind) => new RegExp(`\\p{${kind}}`, 'u').test(character)),
    printable: (text) => !/[\p{C}\p{Z}]/u.test(text.replaceAll(' ', '')),
    fits: (pattern, text) => new RegExp(`^(?:${pattern})$`, 'u').test(text),
    kernel: (key, name, state, given) => {
      const asked = JSON.stringify([key, name, state, JSON.parse(given)]);
      if (!(asked in calls)) throw new Error(`a rule was asked for what it was not asked natively: ${asked}`);
      return calls[asked];
    },
  });
  for (const { files } of [packs.table, ...Object.values(packs.games)])
    for (const [path, text] of Object.entries(files)) {
      const folders = path.split('/').slice(0, -1);
      folders.forEach((_, i) => {
        const folder = `/${folders.slice(0, i + 1).join('/')}`;
        if (!python.FS.analyzePath(folder).exists) python.FS.mkdir(folder);
      });
      python.FS.writeFile(`/${path}`, text);
    }
  python.runPython('import sys, json\nsys.path.insert(0, "/")\nimport registry\nfrom tavolino.browser.table import ask\ndef add(text):\n  registry.add(*json.loads(text))\n');
  for (const [key, pack] of Object.entries(packs.games))
    python.globals.get('add')(JSON.stringify([key, pack.package, pack.state, pack.streams, pack.rolled, pack.calibration]));
  const ask = python.globals.get('ask');

  let same = 0;
  let ordered = 0;
  const different = [];
  for (const [name, given, wanted] of steps) {
    let got;
    try {
      got = ask(name, given);
    } catch (error) {
      got = JSON.stringify(String(error.message));
    }
    if (JSON.stringify(sorted(JSON.parse(got))) === JSON.stringify(sorted(JSON.parse(wanted)))) same++;
    else if (different.length < 3) different.push([`${name} ${given}`, got, wanted]);
    if (JSON.stringify(fields(JSON.parse(got))) === JSON.stringify(fields(JSON.parse(wanted)))) ordered++;
  }
  return { same, asked: steps.length, ordered, different };
}

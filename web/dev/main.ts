/**
 * A board alone, on games that were really played: /dev/?game=KEY &table= &seat=0…|none &at=STEP &lang= &theme= &hint &replay;
 * what else it understands, its Harness.svelte says.
 */
import { mount, type Component } from 'svelte';
import '../src/art/tokens.css';
import '../src/art/pieces.css';
import sprite from '../src/art/sprite.svg?raw';
import { sprites } from '../src/games';
import { firstLocale, setLocale } from '../src/lib/i18n.svelte';

const harnesses = import.meta.glob<Component<{ asked: URLSearchParams }>>('./*/Harness.svelte', { import: 'default' });
const asked = new URLSearchParams(location.search);
const theme = asked.get('theme');
if (theme) document.documentElement.dataset['theme'] = theme;
const drawings = document.createElement('div');
drawings.className = 'sprite';
drawings.innerHTML = sprite + sprites;
document.body.prepend(drawings);

await setLocale(firstLocale());
const load = harnesses[`./${asked.get('game')}/Harness.svelte`];
if (load) mount(await load(), { target: document.getElementById('app')!, props: { asked } });
else document.body.append(`?game= one of ${Object.keys(harnesses).map((path) => path.split('/')[1]).join(', ')}`);

/** The board alone, on games that were really played: ?table=2|3|5 &seat=0…4|none &at=STEP &lang= &theme= &panel &hint &open &replay. */
import { mount } from 'svelte';
import '../src/art/tokens.css';
import '../src/art/pieces.css';
import sprite from '../src/art/sprite.svg?raw';
import { firstLocale, setLocale } from '../src/lib/i18n.svelte';
import OrmaHarness from './OrmaHarness.svelte';

const asked = new URLSearchParams(location.search);
const theme = asked.get('theme');
if (theme) document.documentElement.dataset.theme = theme;
const drawings = document.createElement('div');
drawings.className = 'sprite';
drawings.innerHTML = sprite;
document.body.prepend(drawings);

await setLocale(firstLocale());
mount(OrmaHarness, { target: document.getElementById('app')!, props: { asked } });

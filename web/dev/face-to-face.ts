/** The board alone, on a game that was really played: ?seat=0|1|none &at=STEP &lang= &theme= &panel=1 &hint=1 &open=1. */
import { mount } from 'svelte';
import '../src/art/tokens.css';
import '../src/art/pieces.css';
import sprite from '../src/art/sprite.svg?raw';
import { firstLocale, setLocale } from '../src/lib/i18n.svelte';
import FaceHarness from './FaceHarness.svelte';

const asked = new URLSearchParams(location.search);
const theme = asked.get('theme');
if (theme) document.documentElement.dataset.theme = theme;
const drawings = document.createElement('div');
drawings.className = 'sprite';
drawings.innerHTML = sprite;
document.body.prepend(drawings);

await setLocale(firstLocale());
mount(FaceHarness, { target: document.getElementById('app')!, props: { asked } });

/**
 * The board alone, fed by a table that was really played (python web/dev/fixtures.py out-of-sock).
 * Address: ?table=3&step=12&seat=0&replay&hint&calm; keys: n next, p previous, space plays on by itself.
 */
import { mount } from 'svelte';
import '../src/art/pieces.css';
import sprite from '../src/art/sprite.svg?raw';
import '../src/art/tokens.css';
import { firstLocale, setLocale } from '../src/lib/i18n.svelte';
import Harness from './OutOfSockHarness.svelte';

const drawings = document.createElement('div');
drawings.className = 'sprite';
drawings.innerHTML = sprite;
document.body.prepend(drawings);
const asked = new URLSearchParams(location.search);
const theme = asked.get('theme');
if (theme) document.documentElement.dataset['theme'] = theme;
await setLocale(firstLocale());
const tables = (await (await fetch('/dev/fixtures/out-of-sock.json')).json()).tables;
mount(Harness, { target: document.getElementById('app')!, props: { tables, asked } });

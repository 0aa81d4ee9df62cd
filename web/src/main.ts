import { mount } from 'svelte';
import App from './App.svelte';
import './art/tokens.css';
import './art/pieces.css';
import sprite from './art/sprite.svg?raw';
import { sprites } from './games';
import { loadGames } from './lib/games.svelte';
import { firstLocale, setLocale } from './lib/i18n.svelte';
import { showTheme } from './lib/theme.svelte';

const drawings = document.createElement('div');
drawings.className = 'sprite';
drawings.innerHTML = sprite + sprites; // our own files, built in
document.body.prepend(drawings);

showTheme();
await Promise.all([setLocale(firstLocale()), loadGames().catch(() => undefined)]); // the home page asks again
mount(App, { target: document.getElementById('app')! });

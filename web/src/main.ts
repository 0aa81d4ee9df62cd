import { mount } from 'svelte';
import App from './App.svelte';
import './art/tokens.css';
import './art/pieces.css';
import sprite from './art/sprite.svg?raw';
import { firstLocale, setLocale } from './lib/i18n.svelte';
import { showTheme } from './lib/theme.svelte';

const drawings = document.createElement('div');
drawings.className = 'sprite';
drawings.innerHTML = sprite; // our own file, built in
document.body.prepend(drawings);

showTheme();
await setLocale(firstLocale());
mount(App, { target: document.getElementById('app')! });

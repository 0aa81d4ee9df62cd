/**
 * Small sounds, made here, off until someone turns them on. What is heard when, a game says (`GamePage.hear`). A phone is
 * felt as well, with or without sound, until someone turns that off.
 */
import { remember, remembered } from './storage';

let on = $state(remembered('sound') === 'on');
let volume = $state(Number(remembered('volume') ?? 1) || 1);
let felt = $state(remembered('touch') !== 'off');
let audio: AudioContext | null = null;

export const sound = {
  get on(): boolean {
    return on;
  },
  /** From 0.2 to 2; 1 is quieter than speech. */
  get volume(): number {
    return volume;
  },
  /** Whether a phone may be felt. */
  get felt(): boolean {
    return felt;
  },
};

export function setVolume(wish: number): void {
  volume = wish;
  remember('volume', String(wish));
  yourTurn();
}

export function setSound(wish: boolean): void {
  on = wish;
  remember('sound', wish ? 'on' : 'off');
  if (wish) yourTurn();
}

export function setTouch(wish: boolean): void {
  felt = wish;
  remember('touch', wish ? 'on' : 'off');
  touch(25);
}

function context(): AudioContext | null {
  // Before anyone has touched the page, browsers hold all notes back, and would play them at once later.
  if (!on || navigator.userActivation?.hasBeenActive === false) return null;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') void audio.resume();
  return audio;
}

interface Tone {
  pitch: number;
  after?: number;
  lasts?: number;
  loud?: number;
  shape?: OscillatorType;
  bend?: number;
}

export function tone({ pitch, after = 0, lasts = 0.18, loud = 0.08, shape = 'sine', bend = 1 }: Tone): void {
  const here = context();
  if (!here) return;
  const start = here.currentTime + after;
  const oscillator = new OscillatorNode(here, { type: shape, frequency: pitch });
  oscillator.frequency.exponentialRampToValueAtTime(pitch * bend, start + lasts);
  const gain = new GainNode(here, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud * volume, start + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
  oscillator.connect(gain).connect(here.destination);
  oscillator.start(start);
  oscillator.stop(start + lasts);
}

/** Paper that is moved. */
export function paper(after = 0): void {
  const here = context();
  if (!here) return;
  const length = 0.11;
  const noise = new AudioBuffer({ length: here.sampleRate * length, sampleRate: here.sampleRate });
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 2;
  const source = new AudioBufferSourceNode(here, { buffer: noise });
  const filter = new BiquadFilterNode(here, { type: 'bandpass', frequency: 2600, Q: 0.7 });
  source
    .connect(filter)
    .connect(new GainNode(here, { gain: 0.12 * volume }))
    .connect(here.destination);
  source.start(here.currentTime + after);
}

const PENTATONIC = [0, 2, 4, 7, 9];
/** How much higher the n-th note of a tune is. */
export function step(n: number): number {
  return 2 ** ((PENTATONIC[n % 5]! + 12 * Math.floor(n / 5)) / 12);
}

/** A kalimba third. */
export function yourTurn(): void {
  touch(25);
  tone({ pitch: 523, lasts: 0.22 });
  tone({ pitch: 659, after: 0.09, lasts: 0.24 });
}

/** The end of a game: four notes up to the octave for whoever won, three that come to rest for the others. */
export function theEnd(won: boolean): void {
  const tune = won ? [523, 659, 784, 1047] : [523, 440, 392];
  tune.forEach((pitch, i) => tone({ pitch, after: 0.13 * i, lasts: i === tune.length - 1 ? 0.6 : 0.24 }));
}

/** Whether there is something in the hand that can be felt: browsers of a desk have the function, too. */
export const canTouch = (): boolean => typeof navigator.vibrate === 'function' && matchMedia('(any-pointer: coarse)').matches;

/** A short touch on phones that can. Browsers complain if it comes before anyone has touched them. */
export function touch(ms = 12): void {
  if (felt && canTouch() && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(ms);
}

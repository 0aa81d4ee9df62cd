/** The engine's files, for the workers: Python, rules, networks. */
import { openEngine, type Engine, type Manifest } from './engine';

/** Fetch JSON from an address. */
export async function load<T>(address: string): Promise<T> {
  const found = await fetch(address);
  if (!found.ok) throw new Error(`${address} is missing: ${found.status}`);
  return (await found.json()) as T;
}

/** Open the rules and bots of the game whose files are in a folder. */
export async function openGame(folder: string): Promise<Engine> {
  const rules = fetch(`${folder}rules.wasm`);
  rules.catch(() => undefined); // the manifest may be missing first
  return openEngine(rules, await load<Manifest>(`${folder}manifest.json`));
}

/** Give an engine the network for so many players, if the bot asks one. */
export async function takeNetwork(engine: Engine, folder: string, players: number, bot: string): Promise<void> {
  if (!engine.manifest.bots[bot]?.network || engine.hasNetwork(players)) return;
  const found = await fetch(`${folder}${players}.net`);
  if (!found.ok) throw new Error(`the network for ${players} players is missing: ${found.status}`);
  engine.useNetwork(players, new Uint8Array(await found.arrayBuffer()));
}

/** The engine's files, for the workers: Python, rules, networks. */
import { openEngine, type Engine, type Manifest } from './engine';

/** A file that is not kept here cannot be had just now: there is no connection, or the host does not have it. */
export class Missing extends Error {}

async function fetched<T>(address: string, read: (found: Response) => Promise<T>): Promise<T> {
  try {
    const found = await fetch(address);
    if (!found.ok) throw new Error(String(found.status));
    return await read(found);
  } catch (error) {
    throw new Missing(`${address} is missing: ${String(error)}`);
  }
}

/** Fetch JSON from an address. */
export const load = <T>(address: string): Promise<T> => fetched(address, async (found) => (await found.json()) as T);

const bytesAt = (address: string): Promise<ArrayBuffer> => fetched(address, (found) => found.arrayBuffer());

/** Open the rules and bots of the game whose files are in a folder. */
export async function openGame(folder: string): Promise<Engine> {
  const [rules, manifest] = await Promise.all([bytesAt(`${folder}rules.wasm`), load<Manifest>(`${folder}manifest.json`)]);
  return openEngine(rules, manifest);
}

/** Give an engine the network for so many players, if the bot asks one. */
export async function takeNetwork(engine: Engine, folder: string, players: number, bot: string): Promise<void> {
  if (!engine.manifest.bots[bot]?.network || engine.hasNetwork(players)) return;
  engine.useNetwork(players, new Uint8Array(await bytesAt(`${folder}${players}.net`)));
}

import type { AnchorOrder } from "../../core/ports/workspace.ts";
import { line } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";
import { needsRef } from "./commit.ts";

/** Stores the head of the run's hash chain outside the database, so that tampering must change both. */
export async function anchorChain(store: Store, { run, chain, requireHeld }: AnchorOrder): Promise<void> {
  for (const earlier of await anchoredChains(store, run)) await requireHeld(earlier);
  const ref = await requireChainRef(store, run);
  const id = line(await store.ask(["hash-object", "-w", "--stdin"], { input: chain }));
  await store.repository.ask(["update-ref", ref, id]);
}

/** Returns at most one: a local ref has no history. */
export async function anchoredChains(store: Store, run: string): Promise<readonly string[]> {
  const ref = await requireChainRef(store, run);
  const found = line(await store.repository.ask(["rev-parse", "-q", "--verify", ref], { answers: [1] }));
  if (found === "") return [];
  const { code, out } = await store.ask(["cat-file", "blob", found], { answers: [128] });
  return [code === 0 ? out.toString("utf8") : noAnchor(found)];
}

/** For display only: it contains no hash. */
export const noAnchor = (object: string): string => `the object ${object.slice(0, 12)}, which is no anchor`;

async function requireChainRef(store: Store, run: string): Promise<string> {
  const ref = `refs/signalbox/${run}/chain`;
  await needsRef(store, { ref, given: `run "${run}"` });
  return ref;
}

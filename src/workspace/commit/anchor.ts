import type { AnchorOrder } from "../../core/ports/workspace.ts";
import { getLine } from "../repository/git.ts";
import type { GitStore } from "../repository/git-store.ts";
import { requireRef } from "./commit.ts";

/** Stores the head of the run's hash chain outside the database, so that tampering must change both. */
export async function anchorChain(store: GitStore, { run, chain, requireHeld }: AnchorOrder): Promise<void> {
  for (const earlier of await listAnchors(store, run)) await requireHeld(earlier);
  const ref = await requireChainRef(store, run);
  const id = getLine(await store.ask(["hash-object", "-w", "--stdin"], { input: chain }));
  await store.repository.ask(["update-ref", ref, id]);
}

/** Returns at most one: a local ref has no history. */
export async function listAnchors(store: GitStore, run: string): Promise<readonly string[]> {
  const ref = await requireChainRef(store, run);
  const found = getLine(await store.repository.ask(["rev-parse", "-q", "--verify", ref], { answers: [1] }));
  if (found === "") return [];
  const { code, out } = await store.ask(["cat-file", "blob", found], { answers: [128] });
  return [code === 0 ? out.toString("utf8") : describeNonAnchor(found)];
}

/** For display only: it contains no hash. */
export const describeNonAnchor = (object: string): string => `the object ${object.slice(0, 12)}, which is no anchor`;

async function requireChainRef(store: GitStore, run: string): Promise<string> {
  const ref = `refs/signalbox/${run}/chain`;
  await requireRef(store, { ref, given: `run "${run}"` });
  return ref;
}

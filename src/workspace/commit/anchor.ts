import type { AnchorOrder } from "../../core/ports/workspace.ts";
import { line } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";
import { needsRef } from "./commit.ts";

/** The head of the run's hash chain, outside the database: whoever rewrites one must rewrite the other too. */
export async function anchorChain(store: Store, { run, chain, requireHeld }: AnchorOrder): Promise<void> {
  for (const earlier of await anchoredChains(store, run)) await requireHeld(earlier);
  const ref = await chainRef(store, run);
  const id = line(await store.ask(["hash-object", "-w", "--stdin"], { input: chain }));
  await store.repository.ask(["update-ref", ref, id]);
}

/** One at most: the ref of a repository of one's own has no past. */
export async function anchoredChains(store: Store, run: string): Promise<readonly string[]> {
  const ref = await chainRef(store, run);
  const found = line(await store.repository.ask(["rev-parse", "-q", "--verify", ref], { answers: [1] }));
  if (found === "") return [];
  const { code, out } = await store.ask(["cat-file", "blob", found], { answers: [128] });
  return [code === 0 ? out.toString("utf8") : noAnchor(found)];
}

/** Read by people alone: it holds no hash. */
export const noAnchor = (object: string): string => `the object ${object.slice(0, 12)}, which is no anchor`;

async function chainRef(store: Store, run: string): Promise<string> {
  const ref = `refs/signalbox/${run}/chain`;
  await needsRef(store, { ref, given: `run "${run}"` });
  return ref;
}

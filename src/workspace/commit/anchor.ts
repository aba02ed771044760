import { line } from "../repository/git.ts";
import type { Store } from "../repository/store.ts";
import { needsRef } from "./commit.ts";

/** The head of the run's hash chain, outside the database: whoever rewrites one must rewrite the other too. */
export async function anchorChain(store: Store, { run, chain }: { run: string; chain: string }): Promise<void> {
  const ref = await chainRef(store, run);
  const id = line(await store.ask(["hash-object", "-w", "--stdin"], { input: chain }));
  await store.repository.ask(["update-ref", ref, id]);
}

export async function anchoredChain(store: Store, run: string): Promise<string | undefined> {
  const ref = await chainRef(store, run);
  const found = line(await store.repository.ask(["rev-parse", "-q", "--verify", ref], { answers: [1] }));
  if (found === "") return undefined;
  const { out } = await store.ask(["cat-file", "blob", found]);
  return out.toString("utf8");
}

async function chainRef(store: Store, run: string): Promise<string> {
  const ref = `refs/signalbox/${run}/chain`;
  await needsRef(store, { ref, given: `run "${run}"` });
  return ref;
}

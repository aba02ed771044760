import type { End } from "../../core/end.ts";
import type { Verbs } from "../../core/verbs.ts";
import { type Loaded, load, refuse } from "./load.ts";
import { type Memory, remember, withScopes } from "./memory.ts";
import { type Item, mark, type Roadmap } from "./roadmap.ts";
import { type Held, select } from "./selection.ts";

export type Chosen = {
  readonly item: Item;
  /** It was left in progress by a run that is gone. */
  readonly again: boolean;
  readonly roadmap: Roadmap;
  readonly memory: Memory;
  readonly held: Held;
};

/** Reads the file, picks the one item of this iteration and writes `in_progress` before anybody is dispatched for it. */
export async function choose(verbs: Verbs<{ file: string }>): Promise<Chosen | { readonly end: End }> {
  for (;;) {
    const loaded = await load(verbs);
    if ("errors" in loaded) return { end: await refuse(verbs, loaded.errors) };
    const held = await heldByOthers(verbs, loaded.memory);
    const next = select(loaded.roadmap, held);
    if (next.kind === "complete")
      return { end: { status: "done", reason: "COMPLETE", report: { result: "COMPLETE" } } };
    if (next.kind === "stalled") return { end: stalled(next.reasons) };
    const chosen = await takeUp(verbs, { ...loaded, item: next.item });
    // Refused only when the file was edited in between: then what is in it now decides.
    if (chosen) return { ...chosen, held };
  }
}

/** What live runs of this roadmap are working on. One that died is not live, whatever its last status says. */
async function heldByOthers({ see }: Verbs<unknown>, { taken }: Memory): Promise<Held> {
  const others = await see("runs");
  const live = new Set(others.filter(({ owned }) => owned).map(({ run }) => run));
  return new Map(Object.entries(taken).filter(([, run]) => live.has(run)));
}

type Next = Loaded & { readonly item: Item };

async function takeUp(verbs: Verbs<{ file: string }>, next: Next): Promise<Omit<Chosen, "held"> | undefined> {
  const { input, run, write, note } = verbs;
  const { item, roadmap, hash, memory } = next;
  const again = item.status === "in_progress" && memory.taken[String(item.id)] !== run;
  if (again) await note({ again: `item ${item.id} was left in progress by a run that is gone: it is offered again` });
  const scoped = withScopes(memory, roadmap.items);
  const known = { ...scoped, taken: { ...memory.taken, [String(item.id)]: run } };
  await remember(verbs, { before: memory, after: known });
  const begun = mark(roadmap, { id: item.id, status: "in_progress" });
  const { refused } = await write(input.file, begun.text, { to: "checkout", ifHash: hash });
  return refused === undefined ? { item, again, roadmap: begun, memory: known } : undefined;
}

function stalled(reasons: readonly string[]): End {
  const reason = `STALLED: ${reasons.join("; ")}`;
  return { status: "stalled", reason, report: { result: "STALLED", reasons: [...reasons] } };
}

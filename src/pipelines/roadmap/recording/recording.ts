import type { End } from "../../core/end.ts";
import type { Verbs } from "../../core/verbs.ts";
import { notesOf, reportOf, reportPath, type Summary, summaryOf } from "./artifacts.ts";
import { type Block, fieldsOf, toldOf } from "./blocking.ts";
import type { Chosen } from "./choosing.ts";
import { load } from "./load.ts";
import { type Memory, remember } from "./memory.ts";
import { oneLine } from "./one-line.ts";
import { type Item, type Mark, mark, type Roadmap, sameId } from "./roadmap.ts";
import { candidateOf, select } from "./selection.ts";
import type { Beginning } from "./starting.ts";
import type { Account, ItemResult } from "./steps.ts";

type RoadmapVerbs = Verbs<{ file: string }>;
type Blocked = Extract<ItemResult, { block: unknown }>;
type Done = Exclude<ItemResult, Blocked>;
type Ending<Result extends Account> = {
  readonly chosen: Chosen;
  readonly result: Result;
  readonly start: Beginning;
  /** What the run has done so far, for its own report. */
  readonly history: Summary[];
};

/** Persisted first, then reported: the run ends here and a person decides. */
export async function recordBlock(verbs: RoadmapVerbs, ending: Ending<Blocked>): Promise<End> {
  const { chosen, result } = ending;
  const { block, learnings } = result;
  const { item } = chosen;
  const written = await persist(verbs, item, { id: item.id, status: "blocked", block: fieldsOf(block), learnings });
  if ("edit" in written) return setAside(verbs, item, written.edit);
  await keep(verbs, written, { item, learnings });
  await tell(verbs, { ...ending, block, roadmap: written.roadmap });
  const report = { result: "BLOCKED", item: { id: item.id, title: item.title }, ...block, issues: [...block.issues] };
  return { status: "blocked", reason: toldOf(item, block), report, next: readyAgain(verbs.input.file, item) };
}

/** A blocked item is passed over until a person says that it is ready. */
function readyAgain(file: string, { id }: Item): readonly string[] {
  const input = file === "roadmap.json" ? "" : ` --input file=${file}`;
  return [
    `in ${file} set "status" of item ${id} back to "ready" once that is repaired; its "blocked…" fields go by themselves`,
    `signalbox run roadmap${input}`,
  ];
}

/** The work is committed, then the item is done; interactive mode asks before it goes on. */
export async function recordDone(verbs: RoadmapVerbs, ending: Ending<Done>): Promise<End | undefined> {
  const { chosen, result, start } = ending;
  const { item } = chosen;
  const message = `${oneLine(item.title)}\n\nItem: ${item.id}`;
  const top = start.parent === undefined ? {} : { parent: start.parent };
  const declared = item.kind === "fix" || item.kind === "feature" ? { declared: item.kind } : {};
  const { branch } = await verbs.commit(result.tree, { message, because: result.because, ...top, ...declared });
  const { learnings, adrPath } = result;
  const written = await persist(verbs, item, { id: item.id, status: "done", learnings });
  if ("edit" in written) return setAside(verbs, item, written.edit);
  const last = { item: item.id, branch, base: start.base };
  await keep(verbs, written, { item, learnings, last, ...(adrPath ? { adrPath } : {}) });
  const summary = await tell(verbs, { ...ending, roadmap: written.roadmap });
  return goOn(verbs, { item, summary, more: select(written.roadmap, chosen.held).kind === "item" });
}

type Next = { readonly item: Item; readonly summary: Summary; readonly more: boolean };

async function goOn({ ask }: RoadmapVerbs, { item, summary, more }: Next): Promise<End | undefined> {
  if (!more) return undefined;
  const title = `Item ${item.id} is done. Go on with ${summary.next}?`;
  const answer = await ask({ title, show: summary, choices: ["continue", "stop"], auto: "continue" });
  if (answer.choice === "continue") return undefined;
  return { status: "done", reason: `stopped after item ${item.id}`, report: { result: "STOPPED" } };
}

type Persisted = { readonly roadmap: Roadmap; readonly memory: Memory };

/** Moves the item on in the file as it is now: a person's edit meanwhile is taken over, or nothing is written at all. */
async function persist(verbs: RoadmapVerbs, item: Item, change: Mark): Promise<Persisted | { readonly edit: string }> {
  const { input, run, write, pause } = verbs;
  for (let tried = false; ; ) {
    const loaded = await load(verbs);
    if ("errors" in loaded) {
      await pause("a file cannot be read any more; correct it, then resume", { errors: loaded.errors });
      continue;
    }
    const { roadmap, hash, memory } = loaded;
    // What was written before the engine died, and edited by a person since.
    if (tried && roadmap.items.some(({ id, status }) => sameId(id, item.id) && status === change.status)) return loaded;
    const edit = editOf(item, loaded, { to: change.status, run });
    if (edit) return { edit };
    const moved = mark(roadmap, change);
    const { refused } = await write(input.file, moved.text, { to: "checkout", ifHash: hash });
    if (refused === undefined) return { roadmap: moved, memory };
    tried = true;
  }
}

type Move = { readonly to: Mark["status"]; readonly run: string };

/** An edit that this result no longer fits: somebody has decided about the item, or asks for something else. */
function editOf(item: Item, { roadmap, memory }: Persisted, { to, run }: Move): string | undefined {
  const name = `item ${item.id} "${oneLine(item.title)}"`;
  const now = roadmap.items.find((each) => sameId(each.id, item.id));
  const taken = memory.taken[String(item.id)] ?? run;
  if (!now) return `${name}: expected to be there, found nothing`;
  if (now.status !== "in_progress") return `${name}: status: expected in_progress, found ${now.status}`;
  if (taken !== run) return `${name}: expected to be in the hands of this run, found in those of ${taken}`;
  if (to !== "done") return undefined;
  const asked = (["title", "acceptanceCriteria"] as const).find(
    (field) => JSON.stringify(now[field]) !== JSON.stringify(item[field]),
  );
  return asked && `${name}: ${asked}: expected what was worked on, found ${JSON.stringify(now[asked])}`;
}

/** The person's word stands: the file is left as it is, and the work stays where it was kept. */
async function setAside({ input, note }: RoadmapVerbs, item: Item, edit: string): Promise<End> {
  const reason = `${input.file} was edited while the item was worked on, and is left as it is: ${edit}`;
  await note({ edited: edit });
  return { status: "blocked", reason, report: { result: "EDITED", item: { id: item.id, title: item.title }, edit } };
}

type Kept = {
  readonly item: Item;
  readonly learnings: readonly string[];
  readonly last?: Memory["last"];
  readonly adrPath?: string;
};

/** What a later run must know of this item. */
async function keep(verbs: RoadmapVerbs, { roadmap, memory }: Persisted, kept: Kept): Promise<Memory> {
  const { item, learnings, last = memory.last, adrPath } = kept;
  const own = roadmap.bare ? learnings.map((learning) => ({ itemId: item.id, learning })) : [];
  const adrs = adrPath ? { ...memory.adrs, [String(item.id)]: adrPath } : memory.adrs;
  const { [String(item.id)]: _given, ...taken } = memory.taken;
  const after = { ...memory, adrs, last, taken, learnings: [...memory.learnings, ...own] };
  return remember(verbs, { before: memory, after });
}

type Told = Pick<Ending<Account>, "chosen" | "result" | "history"> & {
  readonly roadmap: Roadmap;
  readonly block?: Block;
};

/** The iteration report, for people and for `status`. */
async function tell(verbs: RoadmapVerbs, { chosen, result, history, roadmap, block }: Told): Promise<Summary> {
  const { item, again } = chosen;
  const summary = summaryOf({
    run: verbs.run,
    item,
    again,
    account: result,
    ...(block ? { block } : {}),
    updates: updatesOf(item, { block, learnings: result.learnings.length }),
    next: candidateOf(roadmap, chosen.held),
  });
  await verbs.write(reportPath(verbs.input.file, item), reportOf(summary), { to: "checkout" });
  await verbs.note(notesOf(summary));
  history.push(summary);
  return summary;
}

function updatesOf(item: Item, { block, learnings }: { block: Block | undefined; learnings: number }): string[] {
  const fields = block ? Object.keys(fieldsOf(block)).map((field) => `${item.id}.${field}`) : [];
  const moved = `${item.id}.status ${item.status} → in_progress → ${block ? "blocked" : "done"}`;
  return [moved, ...fields, ...(learnings > 0 ? [`learnings +${learnings}`] : [])];
}

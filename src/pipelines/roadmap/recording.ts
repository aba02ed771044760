import type { End } from "../../core/end.ts";
import type { Verbs } from "../../core/verbs.ts";
import { reportOf, reportPath, type Summary, summaryOf } from "./artifacts.ts";
import { type Block, fieldsOf, toldOf } from "./blocking.ts";
import type { Chosen } from "./choosing.ts";
import { load } from "./load.ts";
import { type Memory, remember } from "./memory.ts";
import { oneLine } from "./one-line.ts";
import { type Item, type Mark, mark, type Roadmap, sameId } from "./roadmap.ts";
import { candidateOf, select } from "./selection.ts";
import type { Account, ItemResult } from "./steps.ts";

type RoadmapVerbs = Verbs<{ file: string }>;
type Blocked = Extract<ItemResult, { block: unknown }>;
type Done = Exclude<ItemResult, Blocked>;
type Ending<Result extends Account> = { readonly chosen: Chosen; readonly result: Result; readonly iteration: number };

/** Persisted first, then reported: the run ends here and a person decides. */
export async function recordBlock(verbs: RoadmapVerbs, ending: Ending<Blocked>): Promise<End> {
  const { chosen, result } = ending;
  const { block, learnings } = result;
  const { item } = chosen;
  const written = await persist(verbs, item, { id: item.id, status: "blocked", block: fieldsOf(block), learnings });
  if ("edit" in written) return setAside(verbs, ending, written.edit);
  await keep(verbs, chosen, { learnings });
  const summary = await tell(verbs, { ...ending, block, roadmap: written.roadmap });
  return {
    status: "blocked",
    reason: toldOf(item, block),
    report: { item: { id: item.id, title: item.title }, ...summary },
  };
}

/** The work is committed, then the item is done; interactive mode asks before it goes on. */
export async function recordDone(verbs: RoadmapVerbs, ending: Ending<Done>): Promise<End | undefined> {
  const { chosen, result } = ending;
  const { item } = chosen;
  await verbs.commit(result.tree, { message: `${oneLine(item.title)}\n\nItem: ${item.id}`, because: result.because });
  const written = await persist(verbs, item, { id: item.id, status: "done", learnings: result.learnings });
  if ("edit" in written) return setAside(verbs, ending, written.edit);
  const { learnings, adrPath } = result;
  await keep(verbs, chosen, { learnings, ...(adrPath ? { adrPath } : {}) });
  const summary = await tell(verbs, { ...ending, roadmap: written.roadmap });
  return goOn(verbs, { item, summary, more: select(written.roadmap).kind === "item" });
}

type Next = { readonly item: Item; readonly summary: Summary; readonly more: boolean };

async function goOn({ ask }: RoadmapVerbs, { item, summary, more }: Next): Promise<End | undefined> {
  if (!more) return undefined;
  const title = `Item ${item.id} is done. Go on with ${summary.next}?`;
  const answer = await ask({ title, show: summary, choices: ["continue", "stop"], auto: "continue" });
  if (answer.choice === "continue") return undefined;
  return { status: "done", reason: `stopped after item ${item.id}`, report: { result: "STOPPED", ...summary } };
}

type Written = { readonly roadmap: Roadmap } | { readonly edit: string };

/** Moves the item on in the file as it is now: a person's edit meanwhile is taken over, or nothing is written at all. */
async function persist(verbs: RoadmapVerbs, item: Item, change: Mark): Promise<Written> {
  const { input, write, pause } = verbs;
  for (;;) {
    const loaded = await load(verbs);
    if (!loaded.ok) {
      const errors = loaded.errors.map((error) => `${input.file}: ${error}`);
      await pause(`${input.file} cannot be read any more; correct it, then resume`, { errors });
      continue;
    }
    const edit = editOf(item, loaded.roadmap, change.status);
    if (edit) return { edit };
    const roadmap = mark(loaded.roadmap, change);
    await write(input.file, roadmap.text, { to: "checkout", ifHash: loaded.hash });
    return { roadmap };
  }
}

/** An edit that this result no longer fits: the person has decided about the item, or asked for something else. */
function editOf(item: Item, { items }: Roadmap, to: Mark["status"]): string | undefined {
  const name = `item ${item.id} "${oneLine(item.title)}"`;
  const now = items.find((each) => sameId(each.id, item.id));
  if (!now) return `${name}: expected to be there, found nothing`;
  if (now.status !== "in_progress") return `${name}: status: expected in_progress, found ${now.status}`;
  if (to !== "done") return undefined;
  const asked = (["title", "acceptanceCriteria"] as const).find(
    (field) => JSON.stringify(now[field]) !== JSON.stringify(item[field]),
  );
  return asked && `${name}: ${asked}: expected what was worked on, found ${JSON.stringify(now[asked])}`;
}

/** The person's word stands: the file is left as it is, and the work stays where it was kept. */
async function setAside(verbs: RoadmapVerbs, ending: Ending<ItemResult>, edit: string): Promise<End> {
  const { item } = ending.chosen;
  const reason = `${verbs.input.file} was edited while the item was worked on, and is left as it is: ${edit}`;
  await verbs.note({ edited: edit });
  return { status: "blocked", reason, report: { item: { id: item.id, title: item.title }, edit } };
}

/** What a later run must know of this item. */
async function keep(
  verbs: RoadmapVerbs,
  { item, roadmap, memory }: Chosen,
  { learnings, adrPath }: { readonly learnings: readonly string[]; readonly adrPath?: string },
): Promise<Memory> {
  const own = roadmap.bare ? learnings.map((learning) => ({ itemId: item.id, learning })) : [];
  const adrs = adrPath ? { ...memory.adrs, [String(item.id)]: adrPath } : memory.adrs;
  return remember(verbs, { before: memory, after: { ...memory, adrs, learnings: [...memory.learnings, ...own] } });
}

type Told = Ending<Account> & { readonly roadmap: Roadmap; readonly block?: Block };

/** The iteration report, for people and for `status`. */
async function tell(verbs: RoadmapVerbs, { chosen, result, iteration, roadmap, block }: Told): Promise<Summary> {
  const { item, again } = chosen;
  const summary = summaryOf({
    item,
    again,
    account: result,
    ...(block ? { block } : {}),
    updates: updatesOf(item, { block, learnings: result.learnings.length }),
    next: candidateOf(roadmap),
  });
  await verbs.write(reportPath(verbs.run, iteration), reportOf(summary), { to: "checkout" });
  await verbs.note({ iteration: summary });
  return summary;
}

function updatesOf(item: Item, { block, learnings }: { block: Block | undefined; learnings: number }): string[] {
  const fields = block ? Object.keys(fieldsOf(block)).map((field) => `${item.id}.${field}`) : [];
  const moved = `${item.id}.status ${item.status} → in_progress → ${block ? "blocked" : "done"}`;
  return [moved, ...fields, ...(learnings > 0 ? [`learnings +${learnings}`] : [])];
}

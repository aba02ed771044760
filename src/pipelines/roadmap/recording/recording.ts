import type { Decision } from "../../../core/authoring/decision.ts";
import type { End } from "../../../core/authoring/end.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { declareWork } from "../../work-kind.ts";
import { notesOf, reportOf, reportPath, type Summary, summaryOf } from "../artifacts.ts";
import { askToContinue } from "../choosing/ask-to-continue.ts";
import type { StartingPoint } from "../choosing/begin-run.ts";
import type { ItemChoice } from "../choosing/choosing.ts";
import { load } from "../choosing/load.ts";
import { type Item, type Mark, mark, type Roadmap, sameId } from "../choosing/roadmap.ts";
import { candidateOf, select } from "../choosing/selection.ts";
import { KeptContract } from "../contracts.ts";
import { isDesign } from "../item/titles.ts";
import type { Account, Answers, ItemResult } from "../steps.ts";
import { type Block, blockBefore, blockText, fieldsOf } from "./blocking.ts";
import { commitMessage } from "./commit-message.ts";
import { type BlockedWork, learningsOf, type Memory, newLearnings, remember } from "./memory.ts";
import { oneLine } from "./one-line.ts";

type RoadmapVerbs = Verbs<{ file: string }>;
type BlockedResult = Extract<ItemResult, { block: unknown }>;
type DoneResult = Exclude<ItemResult, BlockedResult>;
type Ending<Result extends Account> = {
  readonly chosen: ItemChoice;
  readonly result: Result;
  readonly start: StartingPoint;
  /** Where this item started from. */
  readonly base: Tree;
  /** What the run has done so far, for its own report. */
  readonly history: Summary[];
};

/**
 * Persisted first, then reported: the run ends here and a person decides.
 * @rule R-20 (code) All steps passed makes an item done, any failure blocks it with four fields, and both are in the
 *   file before they are reported.
 */
export async function recordBlock(verbs: RoadmapVerbs, ending: Ending<BlockedResult>): Promise<End> {
  const { chosen, result, base } = ending;
  const { block, learnings, found, tree = base } = result;
  const { item } = chosen;
  const written = await persist(verbs, item, { id: item.id, status: "blocked", block: fieldsOf(block), learnings });
  if ("edit" in written) return setAside(verbs, item, { edit: written.edit, work: workOf(ending, "edited meanwhile") });
  const findings = (found.length > 0 ? found : [{ severity: "major" as const, message: block.blockedReason }]).slice(
    0,
    20,
  );
  const left = { run: verbs.run, tree: tree.tree, base: base.tree, step: block.blockedAt, findings };
  const blocked = { ...left, ...(block.unread ? { unread: unreadOf(item, result.answers) } : {}) };
  await keep(verbs, written, { item, learnings, blocked });
  await tell(verbs, { ...ending, block, roadmap: written.roadmap });
  const reason = blockText(item, block);
  const about = { item: { id: item.id, title: item.title }, ...fieldsOf(block), issues: [...block.issues], findings };
  const report = { result: "BLOCKED", ...about, ...workOf(ending, reason) };
  return { status: "blocked", reason, report, next: readyAgain(verbs.input.file, item, block) };
}

/** What the next run need not ask again, as long as the item asks for the same. */
const unreadOf = ({ title, acceptanceCriteria }: Item, answers: Answers): BlockedWork["unread"] => ({
  title,
  acceptanceCriteria,
  answers: Object.fromEntries(Object.entries(answers).map(([step, said]) => [step, KeptContract.parse(said)])),
});

/** What nobody has accepted, by its tree: it can be looked at, taken by a person, or gone on from. */
function workOf({ result, base }: Pick<Ending<ItemResult>, "result" | "base">, why: string) {
  const { tree } = result;
  return tree === undefined || tree.tree === base.tree ? {} : { work: { tree: tree.tree, accepted: false, why } };
}

/** A blocked item is passed over until a person says that it is ready. */
function readyAgain(file: string, { id }: Item, { unread, blockedAt }: Block): readonly string[] {
  const input = file === "roadmap.json" ? "" : ` --input file=${file}`;
  const from = unread
    ? `begins with ${blockedAt}, whose answer could not be read`
    : "goes on from this work and these findings";
  return [
    `in ${file} set "status" of item ${id} back to "ready": its next run ${from}`,
    `signalbox run roadmap${input}`,
  ];
}

/** The work is committed, then the item is done; interactive mode asks before it goes on. */
export async function recordDone(
  verbs: RoadmapVerbs,
  ending: Ending<DoneResult>,
): Promise<{ readonly end?: End; readonly note?: string | undefined }> {
  const { chosen, result, start } = ending;
  const { item } = chosen;
  const message = commitMessage({ item, design: result.adrPath ?? result.design, account: result });
  const top = start.parent === undefined ? {} : { parent: start.parent };
  // The title of a design item says that a document is all that it asks for.
  const kind = item.kind ?? (isDesign(item) ? "docs" : undefined);
  const declared = declareWork({ request: item.title, kind }, { parts: [] });
  const order = { message, because: result.because, ...top, ...declared };
  const made = await verbs.commit(result.tree, { ...order, revisable: "by a person" });
  if ("sentBack" in made)
    return { end: await recordBlock(verbs, { ...ending, result: sentBack(result, made.sentBack) }) };
  const { commit, branch } = made;
  const { learnings, adrPath } = result;
  const written = await persist(verbs, item, { id: item.id, status: "done", learnings });
  if ("edit" in written) return { end: await setAside(verbs, item, { edit: written.edit }) };
  const last = { item: item.id, branch, base: start.base };
  await keep(verbs, written, { item, learnings, last, ...(adrPath ? { adrPath } : {}) });
  const summary = await tell(verbs, { ...ending, roadmap: written.roadmap });
  const more = select(written.roadmap, chosen.held).kind === "item";
  const done = { account: result, commit, branch, message, from: ending.base, to: result.tree };
  return askToContinue(verbs, { item, summary, more, ...done });
}

/** Nothing is tried again by itself: what a person sends back waits, and its next run begins with their words. */
function sentBack({ because: _because, ...result }: DoneResult, { findings }: Decision): BlockedResult {
  const reason = findings[0]?.message ?? "sent back at the commit";
  return { ...result, block: blockBefore("Review", oneLine(reason)), found: findings, answers: {} };
}

type RecordFiles = { readonly roadmap: Roadmap; readonly memory: Memory };

/**
 * Moves the item on in the file as it is now: a person's edit meanwhile is taken over, or nothing is written at all.
 * @rule A-04 (code) A person's edit of a projection is taken over when a run starts or goes on, or refused by field,
 *   expectation and item.
 */
async function persist(
  verbs: RoadmapVerbs,
  item: Item,
  change: Mark,
): Promise<RecordFiles | { readonly edit: string }> {
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
    const moved = mark(roadmap, {
      ...change,
      learnings: newLearnings(change.learnings ?? [], learningsOf(roadmap, memory)),
    });
    const { refused } = await write(input.file, moved.text, { to: "checkout", ifHash: hash });
    if (refused === undefined) return { roadmap: moved, memory };
    tried = true;
  }
}

type StatusMove = { readonly to: Mark["status"]; readonly run: string };

/** An edit that this result no longer fits: somebody has decided about the item, or asks for something else. */
function editOf(item: Item, { roadmap, memory }: RecordFiles, { to, run }: StatusMove): string | undefined {
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
async function setAside(
  { input, note }: RoadmapVerbs,
  { id, title }: Item,
  { edit, work = {} }: EditedItem,
): Promise<End> {
  const reason = `${input.file} was edited while the item was worked on, and is left as it is: ${edit}`;
  await note({ edited: edit });
  return { status: "blocked", reason, report: { result: "EDITED", item: { id, title }, edit, ...work } };
}

type EditedItem = { readonly edit: string; readonly work?: ReturnType<typeof workOf> };

type MemoryUpdate = {
  readonly item: Item;
  readonly learnings: readonly string[];
  readonly last?: Memory["last"];
  readonly adrPath?: string;
  /** Without it the item is blocked no longer. */
  readonly blocked?: BlockedWork;
};

/** What a later run must know of this item. */
async function keep(verbs: RoadmapVerbs, { roadmap, memory }: RecordFiles, kept: MemoryUpdate): Promise<Memory> {
  const { item, learnings, last = memory.last, adrPath } = kept;
  const id = String(item.id);
  const fresh = roadmap.bare ? newLearnings(learnings, memory.learnings) : [];
  const own = fresh.map((learning) => ({ itemId: item.id, learning }));
  const adrs = adrPath ? { ...memory.adrs, [id]: adrPath } : memory.adrs;
  const { [id]: _given, ...taken } = memory.taken;
  const { [id]: _before, ...others } = memory.blocked;
  const blocked = kept.blocked ? { ...others, [id]: kept.blocked } : others;
  const after = { ...memory, adrs, last, taken, blocked, learnings: [...memory.learnings, ...own] };
  return remember(verbs, { before: memory, after });
}

type SummaryInput = Pick<Ending<Account>, "chosen" | "result" | "history"> & {
  readonly roadmap: Roadmap;
  readonly block?: Block;
};

/** The iteration report, for people and for `status`. */
async function tell(verbs: RoadmapVerbs, { chosen, result, history, roadmap, block }: SummaryInput): Promise<Summary> {
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
  const path = reportPath(verbs.input.file, item);
  // The newest first: what was found before is not lost when the item runs again.
  const before = (await verbs.see("file", { path }))?.text ?? "";
  const text = [reportOf(summary), before].filter(Boolean).join("\n");
  await verbs.write(path, text, { to: "checkout" });
  await verbs.note(notesOf(summary));
  history.push(summary);
  return summary;
}

function updatesOf(item: Item, { block, learnings }: { block: Block | undefined; learnings: number }): string[] {
  const fields = block ? Object.keys(fieldsOf(block)).map((field) => `${item.id}.${field}`) : [];
  const moved = `${item.id}.status ${item.status} → in_progress → ${block ? "blocked" : "done"}`;
  return [moved, ...fields, ...(learnings > 0 ? [`learnings +${learnings}`] : [])];
}

import type { Decision } from "../../../core/authoring/decision.ts";
import type { End } from "../../../core/authoring/end.ts";
import type { Tree } from "../../../core/authoring/tree.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import { declareWork } from "../../work-kind.ts";
import {
  formatIterationReport,
  getIterationReportPath,
  type IterationSummary,
  summarizeIteration,
  toIterationNotes,
} from "../artifacts.ts";
import { askToContinue } from "../choosing/ask-to-continue.ts";
import type { StartingPoint } from "../choosing/begin-run.ts";
import type { ItemChoice } from "../choosing/choose-item.ts";
import { loadRoadmap } from "../choosing/load-roadmap.ts";
import { type Item, type ItemMark, isSameId, markItem, type Roadmap } from "../choosing/roadmap.ts";
import { formatCandidate, selectItem } from "../choosing/selection.ts";
import { StoredContract } from "../contracts.ts";
import { isDesign } from "../item/titles.ts";
import type { ItemAccount, ItemResult, StepAnswers } from "../steps.ts";
import { createEarlyBlock, formatBlock, getBlockFields, type ItemBlock } from "./block.ts";
import { formatItemCommit } from "./commit-message.ts";
import { type BlockedWork, filterNewLearnings, listLearnings, type Memory, storeMemory } from "./memory.ts";
import { toOneLine } from "./short-text.ts";

type RoadmapVerbs = Verbs<{ file: string }>;
type BlockedResult = Extract<ItemResult, { block: unknown }>;
type DoneResult = Exclude<ItemResult, BlockedResult>;
type RecordingInput<Result extends ItemAccount> = {
  readonly chosen: ItemChoice;
  readonly result: Result;
  readonly start: StartingPoint;
  /** The tree that this item started from. */
  readonly base: Tree;
  /** Iterations so far, for the run's report. */
  readonly history: IterationSummary[];
};

/**
 * Persists the block, then reports it. The run ends, and a person decides.
 * @rule R-20 (code) If all steps pass, the item becomes `done`; if any fails, it becomes `blocked` with four fields;
 *   the engine persists this before it reports it.
 */
export async function recordBlock(verbs: RoadmapVerbs, ending: RecordingInput<BlockedResult>): Promise<End> {
  const { chosen, result, base } = ending;
  const { block, learnings, found, tree = base } = result;
  const { item } = chosen;
  const written = await persist(verbs, item, {
    id: item.id,
    status: "blocked",
    block: getBlockFields(block),
    learnings,
  });
  if ("edit" in written)
    return endAfterEdit(verbs, item, {
      edit: written.edit,
      work: describePinnedWork(ending, "the roadmap was edited meanwhile"),
    });
  const findings = (found.length > 0 ? found : [{ severity: "major" as const, message: block.blockedReason }]).slice(
    0,
    20,
  );
  const left = { run: verbs.run, tree: tree.tree, base: base.tree, step: block.blockedAt, findings };
  const blocked = { ...left, ...(block.unread ? { unread: createUnread(item, result.answers) } : {}) };
  await storeItemMemory(verbs, written, { item, learnings, blocked });
  await writeIterationReport(verbs, { ...ending, block, roadmap: written.roadmap });
  const reason = formatBlock(item, block);
  const about = {
    item: { id: item.id, title: item.title },
    ...getBlockFields(block),
    issues: [...block.issues],
    findings,
  };
  const report = { result: "BLOCKED", ...about, ...describePinnedWork(ending, reason) };
  return { status: "blocked", reason, report, next: listNextSteps(verbs.input.file, item, block) };
}

/** Answers that the next run need not request again if the item is unchanged. */
const createUnread = ({ title, acceptanceCriteria }: Item, answers: StepAnswers): BlockedWork["unread"] => ({
  title,
  acceptanceCriteria,
  answers: Object.fromEntries(
    Object.entries(answers).map(([step, contract]) => [step, StoredContract.parse(contract)]),
  ),
});

/** Work that was not accepted, as a tree: a person can inspect or land it, and a later run can continue it. */
function describePinnedWork({ result, base }: Pick<RecordingInput<ItemResult>, "result" | "base">, why: string) {
  const { tree } = result;
  return tree === undefined || tree.tree === base.tree ? {} : { work: { tree: tree.tree, accepted: false, why } };
}

/** Next steps: the item is skipped until a person sets it to ready. */
function listNextSteps(file: string, { id }: Item, { unread, blockedAt }: ItemBlock): readonly string[] {
  const input = file === "roadmap.json" ? "" : ` --input file=${file}`;
  const from = unread
    ? `starts with ${blockedAt}, whose answer could not be read`
    : "continues from this work and these findings";
  return [
    `in ${file} set "status" of item ${id} back to "ready": its next run ${from}`,
    `signalbox run roadmap${input}`,
  ];
}

/** Commits the work, marks the item as done, and asks in interactive mode whether to continue. */
export async function recordDone(
  verbs: RoadmapVerbs,
  ending: RecordingInput<DoneResult>,
): Promise<{ readonly end?: End; readonly note?: string | undefined }> {
  const { chosen, result, start } = ending;
  const { item } = chosen;
  const message = formatItemCommit({ item, design: result.adrPath ?? result.design, account: result });
  const top = start.parent === undefined ? {} : { parent: start.parent };
  // A design item asks only for a document.
  const kind = item.kind ?? (isDesign(item) ? "docs" : undefined);
  const declared = declareWork({ request: item.title, kind }, { parts: [] });
  const order = { message, because: result.because, ...top, ...declared };
  const made = await verbs.commit(result.tree, { ...order, revisable: "by a person" });
  if ("sentBack" in made)
    return { end: await recordBlock(verbs, { ...ending, result: createSentBackResult(result, made.sentBack) }) };
  const { commit, branch } = made;
  const { learnings, adrPath } = result;
  const written = await persist(verbs, item, { id: item.id, status: "done", learnings });
  if ("edit" in written) return { end: await endAfterEdit(verbs, item, { edit: written.edit }) };
  const last = { item: item.id, branch, base: start.base };
  await storeItemMemory(verbs, written, { item, learnings, last, ...(adrPath ? { adrPath } : {}) });
  const summary = await writeIterationReport(verbs, { ...ending, roadmap: written.roadmap });
  const more = selectItem(written.roadmap, chosen.held).kind === "item";
  const done = { account: result, commit, branch, message, from: ending.base, to: result.tree };
  return askToContinue(verbs, { item, summary, more, ...done });
}

/**
 * Blocks the item with the person's comment, because nothing is retried automatically; its next run starts with that
 * comment.
 */
function createSentBackResult({ because: _because, ...result }: DoneResult, { findings }: Decision): BlockedResult {
  const reason = findings[0]?.message ?? "sent back at the commit";
  return { ...result, block: createEarlyBlock("Review", toOneLine(reason)), found: findings, answers: {} };
}

type RecordFiles = { readonly roadmap: Roadmap; readonly memory: Memory };

/**
 * Moves the item's status in the current file. A person's edit is kept, or nothing is written.
 * @rule A-04 (code) At start or resume, the engine imports a person's edit of a projection, or refuses it and names the
 *   field, the expected form and the item.
 */
async function persist(
  verbs: RoadmapVerbs,
  item: Item,
  change: ItemMark,
): Promise<RecordFiles | { readonly edit: string }> {
  const { input, run, write, pause } = verbs;
  for (let tried = false; ; ) {
    const loaded = await loadRoadmap(verbs);
    if ("errors" in loaded) {
      await pause("a file is no longer readable; correct it, then resume", { errors: loaded.errors });
      continue;
    }
    const { roadmap, hash, memory } = loaded;
    // Written before a crash, and edited by a person since.
    if (tried && roadmap.items.some(({ id, status }) => isSameId(id, item.id) && status === change.status))
      return loaded;
    const edit = findConflictingEdit(item, loaded, { to: change.status, run });
    if (edit) return { edit };
    const moved = markItem(roadmap, {
      ...change,
      learnings: filterNewLearnings(change.learnings ?? [], listLearnings(roadmap, memory)),
    });
    const { refused } = await write(input.file, moved.text, { to: "checkout", ifHash: hash });
    if (refused === undefined) return { roadmap: moved, memory };
    tried = true;
  }
}

type StatusMove = { readonly to: ItemMark["status"]; readonly run: string };

/** Describes an edit that conflicts with this result: the item's status or its content changed. */
function findConflictingEdit(
  item: Item,
  { roadmap, memory }: RecordFiles,
  { to, run }: StatusMove,
): string | undefined {
  const name = `item ${item.id} "${toOneLine(item.title)}"`;
  const now = roadmap.items.find((each) => isSameId(each.id, item.id));
  const taken = memory.taken[String(item.id)] ?? run;
  if (!now) return `${name}: expected the item, found none`;
  if (now.status !== "in_progress") return `${name}: status: expected in_progress, found ${now.status}`;
  if (taken !== run) return `${name}: expected to be taken by this run, found taken by ${taken}`;
  if (to !== "done") return undefined;
  const changedField = (["title", "acceptanceCriteria"] as const).find(
    (field) => JSON.stringify(now[field]) !== JSON.stringify(item[field]),
  );
  return (
    changedField &&
    `${name}: ${changedField}: expected the value that was worked on, found ${JSON.stringify(now[changedField])}`
  );
}

/** The person's edit wins: the file stays as it is, and the work stays pinned. */
async function endAfterEdit(
  { input, note }: RoadmapVerbs,
  { id, title }: Item,
  { edit, work = {} }: EditedItem,
): Promise<End> {
  const reason = `${input.file} was edited while the item was in progress and was left unchanged: ${edit}`;
  await note({ edited: edit });
  return { status: "blocked", reason, report: { result: "EDITED", item: { id, title }, edit, ...work } };
}

type EditedItem = { readonly edit: string; readonly work?: ReturnType<typeof describePinnedWork> };

type MemoryUpdate = {
  readonly item: Item;
  readonly learnings: readonly string[];
  readonly last?: Memory["last"];
  readonly adrPath?: string;
  /** Absent if the item is no longer blocked. */
  readonly blocked?: BlockedWork;
};

/** Stores what later runs need of this item. */
async function storeItemMemory(
  verbs: RoadmapVerbs,
  { roadmap, memory }: RecordFiles,
  update: MemoryUpdate,
): Promise<Memory> {
  const { item, learnings, last = memory.last, adrPath } = update;
  const id = String(item.id);
  const fresh = roadmap.bare ? filterNewLearnings(learnings, memory.learnings) : [];
  const own = fresh.map((learning) => ({ itemId: item.id, learning }));
  const adrs = adrPath ? { ...memory.adrs, [id]: adrPath } : memory.adrs;
  const { [id]: _given, ...taken } = memory.taken;
  const { [id]: _before, ...others } = memory.blocked;
  const blocked = update.blocked ? { ...others, [id]: update.blocked } : others;
  const after = { ...memory, adrs, last, taken, blocked, learnings: [...memory.learnings, ...own] };
  return storeMemory(verbs, { before: memory, after });
}

type SummaryInput = Pick<RecordingInput<ItemAccount>, "chosen" | "result" | "history"> & {
  readonly roadmap: Roadmap;
  readonly block?: ItemBlock;
};

/** Writes the iteration report and the notes for `status`. */
async function writeIterationReport(
  verbs: RoadmapVerbs,
  { chosen, result, history, roadmap, block }: SummaryInput,
): Promise<IterationSummary> {
  const { item, again } = chosen;
  const summary = summarizeIteration({
    run: verbs.run,
    item,
    again,
    account: result,
    ...(block ? { block } : {}),
    updates: listUpdates(item, { block, learnings: result.learnings.length }),
    next: formatCandidate(roadmap, chosen.held),
  });
  const path = getIterationReportPath(verbs.input.file, item);
  // Newest first; earlier findings stay in the report.
  const before = (await verbs.see("file", { path }))?.text ?? "";
  const text = [formatIterationReport(summary), before].filter(Boolean).join("\n");
  await verbs.write(path, text, { to: "checkout" });
  await verbs.note(toIterationNotes(summary));
  history.push(summary);
  return summary;
}

function listUpdates(item: Item, { block, learnings }: { block: ItemBlock | undefined; learnings: number }): string[] {
  const fields = block ? Object.keys(getBlockFields(block)).map((field) => `${item.id}.${field}`) : [];
  const moved = `${item.id}.status ${item.status} → in_progress → ${block ? "blocked" : "done"}`;
  return [moved, ...fields, ...(learnings > 0 ? [`learnings +${learnings}`] : [])];
}

import type { Finding } from "../../core/authoring/finding.ts";
import type { Head } from "../../core/authoring/observations.ts";
import type { Retry } from "../../core/authoring/retry.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { Depth } from "../depth.ts";
import { mergeContributions } from "../merge-contributions.ts";
import { DOCUMENTS, getFeatureFolder } from "./artifacts.ts";
import { parseFindings } from "./building/findings.ts";
import type { Status } from "./contracts.ts";
import { addOutput, parseMemoryEntries } from "./memory/memory.ts";
import { type MemoryFile, openMemory } from "./memory/memory-file.ts";
import type { ClusterRole } from "./roles.ts";
import { openRunReport, type RunReport } from "./run-report.ts";

/** One dispatch of an agent that writes documents. Paths are relative to the feature's folder. */
export type DocumentOrder = {
  readonly role: ClusterRole;
  readonly step: string;
  /** Input documents besides the request and the memory, which every agent gets. */
  readonly reads: readonly string[];
  /** The engine reads the first path. Globs stand for files that the agent names. */
  readonly outputs: readonly [string, ...string[]];
  readonly more?: Readonly<Record<string, unknown>>;
  readonly as?: string;
  readonly retry?: Retry;
};

/** Result of a dispatch. Without `after` the dispatch delivered nothing. */
export type DispatchResult = {
  readonly name: string;
  readonly status: Status | "missing";
  readonly message: string;
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly outside: readonly string[];
  readonly after?: Tree;
};

/** The feature under construction: its folder, tree and memory, and the functions that dispatch its agents. */
export type FeatureContext = RunReport &
  Omit<MemoryFile, "reach"> & {
    readonly slug: string;
    readonly request: string;
    readonly depth: Depth;
    readonly base: Head;
    /** Globs from the configuration that no agent may change. */
    readonly protectedPaths: readonly string[];
    at(path: string): string;
    readonly tree: Tree;
    adopt(next: Tree): void;
    /** Files that each task delivered last. */
    readonly delivered: Map<string, readonly string[]>;
    /** Adds a person's note to the request, which every agent gets. */
    hear(when: string, note: string): Promise<void>;
    /** Runs one agent, merges its files and stores its memory entries. */
    alone(order: DocumentOrder): Promise<DispatchResult>;
    /** Like `alone`, but a failure ends the run. */
    must(order: DocumentOrder): Promise<DispatchResult>;
    /** Runs agents in parallel. Each writes its own files, and none of them the memory. */
    together(orders: readonly DocumentOrder[]): Promise<readonly DispatchResult[]>;
  };

/**
 * @rule C-19 (code) Only the engine writes `memory.md`. Sequential and aggregator agents return entries; an entry from
 *   a parallel agent is refused.
 */
export function openContext(
  verbs: Verbs<unknown>,
  start: Pick<FeatureContext, "slug" | "request" | "depth" | "base" | "protectedPaths">,
): FeatureContext {
  let tree: Tree = start.base;
  const report = openRunReport(verbs, () => (tree.tree === start.base.tree ? undefined : tree));
  const at = (path: string): string => `${getFeatureFolder(start.slug)}/${path}`;
  const file = openMemory({ ...verbs, path: at(DOCUMENTS.memory), warn: report.warn });
  const heard: string[] = [];
  const written = new Set<string>();
  const place = () => ({ at, tree, written });

  const alone = async (order: DocumentOrder): Promise<DispatchResult> => {
    const sent = await send(verbs, order, place());
    await watch(report, sent);
    if (sent.after) written.add(order.outputs[0]);
    tree = sent.after ?? tree;
    await remember(order, sent);
    return sent;
  };
  /**
   * @rule C-28 (code) A sequential or aggregator agent that returns no memory entry causes a warning and never blocks.
   */
  const remember = async ({ step, outputs }: DocumentOrder, { name, after, text }: DispatchResult): Promise<void> => {
    if (!after) return file.doubt([step], `${name} failed`);
    if (parseMemoryEntries(text).length === 0) await report.warn(`${name} handed over no memory entry in step ${step}`);
    await file.remember(addOutput(file.memory, { by: name, step, path: at(outputs[0]), text }));
  };
  const together = async (orders: readonly DocumentOrder[]): Promise<readonly DispatchResult[]> => {
    const from = place();
    const got = await verbs.parallel(orders, (order) => send(verbs, order, from), { key: getDispatchName });
    const all = got.filter((sent) => sent !== undefined);
    for (const { outputs } of orders.filter((_order, nth) => got[nth]?.after)) written.add(outputs[0]);
    for (const sent of all) {
      await watch(report, sent);
      if (parseMemoryEntries(sent.text).length > 0)
        await report.warn(`${sent.name} is no writer of the memory: entry refused`);
    }
    const works = all.flatMap(({ name, after }) => (after ? [{ id: name, after }] : []));
    tree = (await mergeContributions(verbs, tree, works)).tree;
    return all;
  };

  return {
    ...report,
    ...start,
    at,
    delivered: new Map(),
    async hear(when, note) {
      if (!note.trim()) return;
      heard.push(`- ${when}: ${note.trim()}`);
      await verbs.write(at(DOCUMENTS.request), requestText(start.request, heard));
    },
    alone,
    together,
    remember: file.remember,
    doubt: file.doubt,
    settle: file.settle,
    prune: file.prune,
    begin(title) {
      file.reach(getStepId(title));
      return report.begin(title);
    },
    /**
     * @rule C-31 (code) If synthesis, spec, designer, ct-aggregator or planner still returns ERROR after its retry, the
     *   run halts.
     */
    async must(order) {
      const sent = await alone(order);
      return sent.after ? sent : report.halt(`${sent.name} failed in step ${order.step}: ${sent.message}`);
    },
    adopt: (next) => {
      tree = next;
    },
    get tree() {
      return tree;
    },
    get memory() {
      return file.memory;
    },
  };
}

/** Formats the request with the notes that people added later. */
export function requestText(request: string, heard: readonly string[]): string {
  const since = heard.length > 0 ? `\n\n## Said since\n\n${heard.join("\n")}` : "";
  return `${request.trimEnd()}${since}\n`;
}

async function watch({ violated }: RunReport, { name, outside }: DispatchResult): Promise<void> {
  if (outside.length > 0) await violated(name, outside);
}

/** Returns the step id, for example `3b` for `3b Design review`. */
const getStepId = (title: string): string => title.split(" ")[0] ?? title;

const getDispatchName = ({ role, as }: DocumentOrder): string => as ?? role.name;

/**
 * @rule C-27 (code) Every dispatch names its input and output paths individually; `initial-request.md` and `memory.md`
 *   are in every list.
 * @rule C-45 (policy) A DONE without its declared output file, or with an empty one, counts as ERROR.
 */
async function send(
  { attempt, see }: Pick<Verbs<unknown>, "attempt" | "see">,
  order: DocumentOrder,
  place: { at: (path: string) => string; tree: Tree; written: ReadonlySet<string> },
): Promise<DispatchResult> {
  const { role, outputs: own, as, retry } = order;
  const { reads, more } = place.written.has(own[0]) ? withLast(order, place.at) : order;
  const inputs = [DOCUMENTS.request, DOCUMENTS.memory, ...reads].map(place.at);
  const outputs = own.map(place.at);
  const delivers = outputs.filter((path) => !path.includes("*"));
  const options = { in: place.tree, writes: outputs, delivers, ...(as && { as }), ...(retry && { retry }) };
  const answer = await attempt(role, { inputs, outputs, ...more }, options);
  if (!answer.ok) return toFailedDispatch(getDispatchName(order), answer.failure);
  const { line: status, message, after, outside } = answer.value;
  const text = (await see("file", { path: place.at(own[0]), in: after }))?.text ?? "";
  return {
    name: getDispatchName(order),
    status,
    message,
    text,
    findings: parseFindings(text, getDispatchName(order)),
    outside,
    after,
  };
}

/** Adds the agent's own previous document to its inputs. */
function withLast({ reads, outputs: [own], more }: DocumentOrder, at: (path: string) => string) {
  const last = `${at(own)} is yours of the round before: go on from it, and say what of it is settled`;
  return { reads: [...new Set([...reads, own])], more: { ...more, last } };
}

function toFailedDispatch(name: string, failure: Failure): DispatchResult {
  const status = failure.code === "agent_error" ? "ERROR" : "missing";
  return { name, status, message: failure.message, text: "", findings: [], outside: [] };
}

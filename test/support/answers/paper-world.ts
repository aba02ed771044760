import { createHash } from "node:crypto";
import type { Pipeline } from "../../../src/core/authoring/pipeline.ts";
import type { Role } from "../../../src/core/authoring/role.ts";
import { matchesAny } from "../../../src/core/checks/guard/glob.ts";
import type { TestCounts } from "../../../src/core/checks/reports/test-report.ts";
import { type ContractReading, readContract } from "../../../src/core/contract/read.ts";
import { writeContract } from "../../../src/core/contract/write.ts";
import type { AttemptRequest, Effect } from "../../../src/core/journal/effect.ts";
import { type Json, toStored } from "../../../src/core/text/json.ts";
import { mayWrite } from "../../../src/workspace/snapshot/write-scope.ts";

/** A repository as data: path to text. */
export type Files = Readonly<Record<string, string>>;

/** An agent's answer, and the files that it leaves behind. */
export type Play =
  | { readonly contract: object; readonly files?: Files }
  | { readonly failure: { readonly code: string; readonly transient?: true } };

export type Paper = {
  readonly pipeline: Pipeline;
  readonly base: Files;
  readonly commands: readonly { readonly name: string; readonly run: string }[];
  /** The counts that a passing `test` command reports; without it, no counts. */
  readonly tests?: TestCounts;
  readonly play: (request: AttemptRequest) => Play;
  /** A file of the user's checkout; the effect's id identifies the moment of the look. */
  readonly checkout?: (path: string, id: string) => string | undefined;
  readonly dirt?: readonly string[];
  readonly branch?: (name: string) => { tree: string; commit: string; subjects: readonly string[] } | undefined;
};

export const THREE_TESTS: TestCounts = { total: 3, passed: 3, failed: 0, skipped: 0, source: "tap" };

/** A command fails on a tree that has this word in any file. */
export const RED = "BROKEN";

/**
 * A stateless world: a tree's id is its encoded content, so every look at it is a function of the effect alone, and a
 * replay or another engine gets the same result.
 */
export function paperWorld(paper: Paper): (effect: Effect) => unknown {
  const filesOf = (tree: string): Files => ({ ...paper.base, ...changesIn(tree) });
  return (effect) => {
    switch (effect.kind) {
      case "attempt":
        return performAttempt(paper, effect.request);
      case "check":
        return effect.request.commands.map((command) => performCheck(command, filesOf(effect.request.tree), paper));
      case "exam":
        // These worlds have no test files: every change is code.
        return { exam: [], code: Object.keys(changesIn(effect.request.new)), inseparable: [] };
      case "without":
        return { tree: effect.request.tree };
      case "merge":
        return performMerge(effect.request.trees);
      case "commit":
        return { commit: computeDigest(JSON.stringify(effect.request)), branch: effect.request.branch };
      case "write":
        return { hash: computeDigest(effect.request.text) };
      case "see":
        // The engine sends the arguments of the verb, which `Sights` types.
        return observe(paper, { ...(effect.request as LookRequest), id: effect.id }, filesOf);
    }
  };
}

type LookRequest = {
  readonly what: string;
  readonly args: {
    readonly path?: string;
    readonly under?: string;
    readonly name?: string;
    readonly paths?: readonly string[];
    readonly only?: readonly string[];
    readonly in?: { readonly tree: string };
    readonly from?: { readonly tree: string };
    readonly to?: { readonly tree: string };
  } | null;
};

function observe(paper: Paper, look: LookRequest & { id: string }, filesOf: (tree: string) => Files): unknown {
  const { path = "", under = "", name = "", paths = [], only, in: tree, from, to } = look.args ?? {};
  switch (look.what) {
    case "head":
      return { tree: "base", commit: "c0", branch: "main" };
    case "checkout":
      return { branch: "main", dirt: paper.dirt ?? [], operation: null };
    case "startup":
      return { cores: 2, commands: Object.fromEntries(paper.commands.map(({ name, run }) => [name, run])) };
    case "dirt":
      return { tree: treeOf(Object.fromEntries(paths.map((each) => [each, paper.checkout?.(each, look.id) ?? ""]))) };
    case "has":
      return true;
    case "branch":
      return paper.branch?.(name) ?? null;
    case "files":
      return Object.keys(tree ? filesOf(tree.tree) : {})
        .filter((each) => under === "" || each.startsWith(`${under}/`))
        .sort();
    case "changes":
      return listChanges(filesOf(from?.tree ?? ""), filesOf(to?.tree ?? ""));
    case "diff":
      return listChanges(filesOf(from?.tree ?? ""), filesOf(to?.tree ?? ""))
        .filter((change) => only === undefined || matchesAny(change.path, only))
        .map((change) => `${change.status} ${change.path}`)
        .join("\n");
    case "file": {
      const text = tree ? filesOf(tree.tree)[path] : paper.checkout?.(path, look.id);
      return text === undefined ? null : { text, hash: computeDigest(text) };
    }
    default:
      throw new Error(`the paper world has nothing to show for ${look.what}`);
  }
}

function performAttempt({ pipeline, play, base }: Paper, request: AttemptRequest): unknown {
  const played = play(request);
  if ("failure" in played) {
    const { code, transient } = played.failure;
    return createFailure({ class: transient ? "transient" : "contract", code, message: `it failed: ${code}` });
  }
  const role = pipeline.roles.find((each) => each.name === request.role);
  if (!role) throw new Error(`${pipeline.name} has no role ${request.role}`);
  const reading = readAnswer(pipeline, role, { contract: played.contract, nonce: request.nonce });
  if (!reading.ok) return createFailure({ class: "contract", code: reading.code, message: reading.message });
  const { value: contract } = reading;
  if (!role.writes) return { outcome: "done", contract, ms: 1 };
  const all = Object.keys(played.files ?? {});
  const kept = request.rendered.map(({ path }) => path);
  const scope = { kept, ...(request.writes ? { writes: request.writes } : {}) };
  const outside = all.filter((path) => !mayWrite(path, scope));
  if (request.outside === "fail" && outside.length > 0)
    return createFailure({ class: "contract", code: "write_outside", message: `changed ${outside.join(", ")}` });
  const taken = Object.entries(played.files ?? {}).filter(([path]) => !outside.includes(path));
  const changes = { ...changesIn(request.tree), ...Object.fromEntries(taken) };
  const there = { ...base, ...Object.fromEntries(request.rendered.map(({ path, text }) => [path, text])), ...changes };
  const missing = role.fails?.(contract) ? [] : (request.delivers ?? []).filter((path) => !there[path]?.trim());
  if (missing.length > 0)
    return createFailure({
      class: "contract",
      code: "output_missing",
      message: `missing or empty: ${missing.join(", ")}`,
    });
  const after = treeOf(changes);
  return { outcome: "done", contract, after, changed: taken.map(([path]) => path), outside, ms: 1 };
}

/** Caches readings: most answers occur thousands of times with the same result. */
const readings = new WeakMap<Role<unknown, unknown, boolean>, Map<string, ContractReading>>();

/** Encodes and decodes the answer: a scenario may not answer what no agent could write. */
function readAnswer(
  { dialect }: Pipeline,
  role: Role<unknown, unknown, boolean>,
  said: { readonly contract: object; readonly nonce: string },
): ContractReading {
  const known = readings.get(role) ?? new Map<string, ContractReading>();
  readings.set(role, known);
  const name = `${dialect} ${JSON.stringify(said.contract)}`;
  const found = known.get(name);
  if (found) return found;
  const { nonce } = said;
  const text = writeContract({ dialect, nonce, value: toStored(said.contract) as Json });
  const reading = readContract({ dialect, nonce, schema: role.contract, text });
  known.set(name, reading);
  return reading;
}

const createFailure = (failure: object) => ({ outcome: "failed", failure, ms: 1 });

type CommandToCheck = { readonly name: string; readonly run: string; readonly cwd?: string | undefined };

function performCheck({ name, run, cwd }: CommandToCheck, files: Files, { tests }: Paper) {
  const red = name !== "lint" && Object.values(files).some((text) => text.includes(RED));
  const snippet = red ? "red" : "green";
  const where = cwd === undefined ? {} : { cwd };
  const counted = tests && name === "test" && !red ? { tests } : {};
  return {
    name,
    command: run,
    ...where,
    exitCode: red ? 1 : 0,
    ms: 1,
    digest: computeDigest(snippet),
    snippet,
    ...counted,
  };
}

function performMerge(trees: readonly string[]): unknown {
  let all: Files = {};
  for (const [at, tree] of trees.entries()) {
    const changes = changesIn(tree);
    const conflicts = Object.keys(changes).filter((path) => all[path] !== undefined && all[path] !== changes[path]);
    if (conflicts.length > 0) return { clean: false, at, conflicts };
    all = { ...all, ...changes };
  }
  return { clean: true, tree: { tree: treeOf(all) } };
}

function listChanges(from: Files, to: Files) {
  const paths = Object.keys(to).filter((path) => from[path] !== to[path]);
  return paths.sort().map((path) => ({ path, status: from[path] === undefined ? "added" : "modified" }));
}

const PREFIX = "tree-";

export function treeOf(changes: Files): string {
  const sorted = Object.entries(changes).sort(([a], [b]) => (a < b ? -1 : 1));
  return PREFIX + Buffer.from(JSON.stringify(sorted)).toString("base64url");
}

/** Any other id is the tree that the run starts from. */
export function changesIn(tree: string): Files {
  if (!tree.startsWith(PREFIX)) return {};
  // Written by `treeOf`.
  const entries = JSON.parse(Buffer.from(tree.slice(PREFIX.length), "base64url").toString()) as [string, string][];
  return Object.fromEntries(entries);
}

const computeDigest = (text: string): string => createHash("sha256").update(text).digest("hex");

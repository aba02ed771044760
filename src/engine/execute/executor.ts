import { availableParallelism } from "node:os";
import type { Pipeline } from "../../core/authoring/pipeline.ts";
import type { WriteResult } from "../../core/authoring/verbs.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { AttemptResult, Effect, EffectKind, EffectKinds, WriteRequest } from "../../core/journal/effect.ts";
import type { CommandEnvironment } from "../../core/ports/command-environment.ts";
import type { Definitions } from "../../core/ports/definitions.ts";
import type { Handlers } from "../../core/ports/host.ts";
import type { Mailbox } from "../../core/ports/mailbox.ts";
import type { PortBlocks } from "../../core/ports/port-blocks.ts";
import type { Processes } from "../../core/ports/processes.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import type { World } from "../../core/ports/world.ts";
import type { Json } from "../../core/text/json.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { hasArtifactCopy, writeArtifactCopy } from "./artifact-copy.ts";
import { adoptAttempt, executeAttempt } from "./attempt/attempt.ts";
import { removeFolders } from "./attempt/attempt-folder.ts";
import { createQuotaCooldown } from "./attempt/quota-cooldown.ts";
import { runChecks } from "./checks/checks.ts";
import { createCleanupQueue } from "./cleanup-queue.ts";
import { commitWork, removeDocuments } from "./commit-work.ts";
import { composeExam, listComposedTrees } from "./exam-trees/compose-exam.ts";
import { publishWithRetry } from "./publish.ts";
import { runUnlessStopped } from "./run-unless-stopped.ts";
import type { SandboxPaths } from "./sandbox.ts";

export type ExecutorDeps = {
  readonly workspace: Workspace;
  readonly processes: Processes;
  readonly definitions: Definitions;
  readonly world: World;
  readonly pipelines: (name: string) => Pipeline | undefined;
  /** Homes of attempts; outside the repository. */
  readonly cache: string;
  /** Files that people may read during a run: `<run>/artifacts`, `<run>/spool`. */
  readonly runs: string;
  /** Folder of spools for work that belongs to no run. */
  readonly spools?: string;
  /** If absent, processes see what the engine sees. */
  readonly sandboxPaths?: SandboxPaths;
  /** Variables that the configuration gives to set-up and checks. */
  readonly environment?: CommandEnvironment;
  /** If absent, attempts and checks have a name but no ports of their own. */
  readonly ports?: PortBlocks;
  /** Dispatches that wait for an agent outside the engine; those of a run end with it. */
  readonly mailbox?: Pick<Mailbox, "withdrawAll">;
  /** Removes secrets from a file; if absent, spools stay as they were printed. */
  readonly scrub?: (file: string) => Promise<void>;
};

export type Executor = Pick<Handlers, "perform" | "recover"> & {
  restore(run: string, lost: readonly WriteRequest[]): Promise<void>;
  /** Resolves when all cleanup is done. */
  settled(): Promise<void>;
  tidy(run: string): Promise<void>;
  undo(run: string, writes: readonly WriteRequest[]): Promise<void>;
};

type UntypedHandler = (effect: unknown, signal: AbortSignal) => Promise<never>;
type ExecuteByKind = {
  [K in EffectKind]: (effect: Effect<K>, signal: AbortSignal) => Promise<EffectKinds[K]["result"]>;
};

/** Performs effects on this machine. Everything but an attempt is safe to repeat. */
export function createExecutor(parts: ExecutorDeps): Executor {
  const cleanup = createCleanupQueue();
  const windows = createQuotaCooldown(parts);
  const createHandlers = (own: ExecutorDeps): ExecuteByKind => ({
    attempt: catchInterruption(windows.around((effect, signal) => executeAttempt(own, effect, { signal, cleanup }))),
    ...createRepeatable(own),
  });
  // Publishes before it returns: a reader of the result may be on another machine.
  const runOwned = <T>(
    { run, fence }: Pick<Effect, "run" | "fence">,
    signal: AbortSignal,
    work: OwnedWork<T>,
  ): Promise<T> => {
    const workspace = parts.workspace.of(run, fence);
    return workspace.owned(signal, async () => {
      const result = await work({ ...parts, workspace });
      await publishWithRetry({ ...parts, workspace }, signal);
      return result;
    });
  };
  // The table has one entry per kind, and an effect carries its kind.
  const perform: Executor["perform"] = (effect, signal) =>
    runOwned(effect, signal, (own) => (createHandlers(own)[effect.kind] as UntypedHandler)(effect, signal));
  const adopt = (own: ExecutorDeps) =>
    catchInterruption(
      windows.after((effect, signal) => adoptAttempt(own, effect, { signal, cleanup })),
    ) as UntypedHandler;
  const recover: Executor["recover"] = (effect, signal) =>
    effect.kind === "attempt" ? runOwned(effect, signal, (own) => adopt(own)(effect, signal)) : perform(effect, signal);
  return {
    perform,
    recover,
    async settled() {
      await cleanup.settled();
      await parts.workspace.settled();
    },
    async tidy(run) {
      await cleanup.settled();
      await parts.mailbox?.withdrawAll(run);
      await removeFolders(parts, run);
    },
    async undo(run, writes) {
      for (const request of writes) await writeUnlessEdited(parts.workspace.of(run), request);
    },
    async restore(run, lost) {
      const own = { ...parts, workspace: parts.workspace.of(run) };
      for (const request of lost) {
        const there = request.to === "mirror" ? hasArtifactCopy(own, run, request) : own.workspace.file(request.path);
        if (!(await there)) await performWrite(own, { run, request });
      }
    },
  };
}

type ExecuteAttemptEffect = (effect: Effect<"attempt">, signal: AbortSignal) => Promise<AttemptResult>;

/** An attempt that was stopped counts as interrupted, wherever it was: that is no fault of the pipeline. */
const catchInterruption =
  (attempting: ExecuteAttemptEffect): ExecuteAttemptEffect =>
  async (effect, signal) =>
    (await runUnlessStopped(signal, () => attempting(effect, signal))) ?? { outcome: "interrupted" };

type OwnedWork<T> = (own: ExecutorDeps) => Promise<T>;

/** Effects that are safe to repeat. */
function createRepeatable(parts: ExecutorDeps): Omit<ExecuteByKind, "attempt"> {
  const { workspace } = parts;
  return {
    check: (effect, signal) => runChecks(parts, effect, signal),
    see: async ({ run, request }) => {
      const seen = cleanObservation(parts, request, await observeWorkspace(workspace, request.what, request.args));
      if (request.what === "dirt") await workspace.pin(run, (seen as { tree: string }).tree);
      if (request.what === "has" && seen) await workspace.pin(run, getTreeArg(request.args));
      // The branch may have moved by the time the run needs the commit.
      const commit = SHOWS_COMMIT.has(request.what) && (seen as { commit?: string } | null)?.commit;
      if (commit) await workspace.hold(run, commit);
      return seen;
    },
    write: (effect) => performWrite(parts, effect),
    exam: async ({ run, request }) => {
      const trees = await composeExam(workspace, request);
      for (const tree of listComposedTrees(trees)) await workspace.pin(run, tree);
      return trees;
    },
    merge: async ({ run, request }) => {
      const merged = await workspace.merge(request.base, request.trees);
      if (merged.clean) await workspace.pin(run, merged.tree.tree);
      return merged;
    },
    commit: ({ run, request }) => commitWork(workspace, run, request),
    without: async ({ run, request }) => {
      const tree = await removeDocuments(workspace, request);
      await workspace.pin(run, tree);
      return { tree };
    },
  };
}

function performWrite(
  parts: ExecutorDeps,
  { run, request }: Pick<Effect<"write">, "run" | "request">,
): Promise<WriteResult> {
  return request.to === "mirror" ? writeArtifactCopy(parts, run, request) : writeUnlessEdited(parts.workspace, request);
}

const SHOWS_COMMIT: ReadonlySet<string> = new Set(["head", "branch"]);

/** A caller that names the expected hash gets a mismatch as a result instead of an error. */
async function writeUnlessEdited(workspace: Workspace, { path, text, ifHash }: WriteRequest): Promise<WriteResult> {
  try {
    return await workspace.write(path, text, ifHash);
  } catch (error) {
    if (ifHash === undefined || !(error instanceof SignalboxError) || error.code !== "WRITE_REFUSED") throw error;
    return { hash: (await workspace.file(path))?.hash ?? "", refused: error.message };
  }
}

/** Redacts nothing in the checkout's own files: what is written back must be what was read. */
function cleanObservation({ world }: ExecutorDeps, { what, args }: EffectKinds["see"]["request"], seen: Json): Json {
  const inTree = what === "file" && (args as ObservationArgs | null)?.in !== undefined;
  return what === "diff" || inTree ? redactDeep(seen, world.redact) : seen;
}

async function observeWorkspace(workspace: Workspace, what: string, args: Json): Promise<Json> {
  // Arguments were typed by the verb and went through JSON.
  const {
    path = "",
    under = "",
    name = "",
    paths = [],
    ignored = false,
    only,
    in: tree,
    from,
    to,
  } = (args ?? {}) as ObservationArgs;
  switch (what) {
    case "head":
      return workspace.head();
    case "checkout":
      return workspace.state();
    case "file":
      return workspace.file(path, tree?.tree);
    case "files":
      return ignored && !tree ? workspace.filesOnDisk(under) : workspace.files(under, tree?.tree);
    case "branch":
      return workspace.branch(name);
    case "changes":
      return workspace.changes(from?.tree ?? "", to?.tree ?? "");
    case "diff":
      return cutDiff(await workspace.diff(from?.tree ?? "", to?.tree ?? "", only));
    case "has":
      return hasTree(workspace, tree?.tree ?? "");
    case "dirt":
      return { tree: await workspace.dirt(paths) };
    case "startup":
      return { cores: availableParallelism(), commands: {} };
    default:
      throw new Error(`unknown observation "${what}"`);
  }
}

const getTreeArg = (args: Json): string => (args as ObservationArgs | null)?.in?.tree ?? "";

async function hasTree(workspace: Workspace, tree: string): Promise<boolean> {
  try {
    await workspace.files("", tree);
    return true;
  } catch (error) {
    if (error instanceof SignalboxError && error.code === "OBJECT_GONE") return false;
    throw error;
  }
}

/** A diff is recorded and read by models: larger files are better read directly. */
const DIFF_LIMIT = 200_000;

function cutDiff(diff: string): string {
  if (diff.length <= DIFF_LIMIT) return diff;
  return `${diff.slice(0, DIFF_LIMIT)}\n[cut: ${diff.length - DIFF_LIMIT} more characters]\n`;
}

type ObservationArgs = {
  readonly path?: string;
  readonly under?: string;
  readonly name?: string;
  readonly ignored?: boolean;
  readonly only?: readonly string[];
  readonly paths?: readonly string[];
  readonly in?: { readonly tree: string };
  readonly from?: { readonly tree: string };
  readonly to?: { readonly tree: string };
};

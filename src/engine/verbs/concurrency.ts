import type { Decision } from "../../core/authoring/decision.ts";
import type { LoopEnd, ParallelOptions, Round, Verbs } from "../../core/authoring/verbs.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import * as guards from "../replay/guards.ts";
import { createChildScope, formatRoundName, type Scope, scopes } from "../replay/scope.ts";
import { enterScope } from "../replay/step.ts";
import { createNever, type Run, RunEnded, StepFailed } from "../run.ts";
import { createSemaphore } from "../semaphore.ts";

type BranchVerbs = Pick<Verbs<unknown>, "parallel" | "together" | "within" | "loop">;

/** The verbs that open scopes. They record nothing themselves; the verbs inside them do. */
export function createBranchVerbs(run: Run): BranchVerbs {
  return {
    parallel: (items, each, options) =>
      runInPlace(run, "parallel()", (scope, n) => runBranches({ run, scope, n }, items, { each, ...options })),
    together: (branches) =>
      runInPlace(run, "together()", async (scope, n) => {
        const names = Object.keys(branches);
        const each = (name: string) => branches[name]?.() ?? Promise.resolve(undefined);
        const results = await runBranches({ run, scope, n }, names, { each });
        // One result per name, in the order of the names: the mapped type says the same.
        return Object.fromEntries(names.map((name, index) => [name, results[index]])) as never;
      }),
    within: (name, body, { repeats = false } = {}) =>
      runInPlace(run, `within("${name}")`, async (scope, n) => {
        const child = createChildScope(scope, { n, name, repeats });
        const result = await runInScope(run, child, body);
        copyScopeBack(scope, child);
        return result;
      }),
    loop: (options, body) => runInPlace(run, "loop()", (scope, n) => runRounds({ run, scope, n }, options, body)),
  };
}

/** Copies the heading and the skipped phases of a finished part back to its parent scope. */
function copyScopeBack(scope: Scope, child: Scope): void {
  scope.phase = child.phase;
  for (const title of child.skipped) scope.skipped.add(title);
}

type BranchPosition = { readonly run: Run; readonly scope: Scope; readonly n: number };

async function runInPlace<T>(run: Run, verb: string, body: (scope: Scope, n: number) => Promise<T>): Promise<T> {
  if (run.over) return createNever();
  const scope = enterScope(run, verb);
  const n = scope.n++;
  const past = run.history.at(scope.id, n);
  if (past) return run.refuse(guards.createDivergedError(run.id, verb, past.started.key));
  scope.pending = verb;
  try {
    return await body(scope, n);
  } catch (error) {
    if (error instanceof RunEnded) scope.ended = true;
    throw error;
  } finally {
    scope.pending = undefined;
  }
}

/** Runs a body in its scope and checks that no verb of it is left unawaited. */
export async function runInScope<T>(run: Run, scope: Scope, body: () => Promise<T>): Promise<T> {
  try {
    const result = await scopes.run({ run: run.id, scope }, body);
    if (run.over) return await createNever();
    if (scope.pending !== undefined) run.refuse(guards.createUnawaitedError(run.id, scope.pending, `"${scope.id}"`));
    if (scope.ended) run.refuse(guards.createSwallowedError(run.id, "its next part"));
    return result;
  } finally {
    scope.closed = true;
  }
}

async function runBranches<T, R>(
  { run, scope, n }: BranchPosition,
  items: readonly T[],
  options: ParallelOptions<T> & { readonly each: (item: T) => Promise<R> },
): Promise<(R | undefined)[]> {
  const names = items.map((item) => options.key?.(item) ?? getBranchName(item));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return run.refuse(guards.createDuplicateBranchError(run.id, twice));
  const cap = options.cap === undefined ? undefined : createSemaphore(requireCap(options.cap));
  const settled = await Promise.allSettled(
    items.map((item, index) => {
      const name = names[index] ?? "";
      const child = createChildScope(scope, { n, name, branch: name, ...(cap ? { cap } : {}) });
      return runInScope(run, child, async () => options.each(item));
    }),
  );
  // All branches run to their end, and the first error by position counts: the same on every replay.
  const errors = settled.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  const fatal = errors.find((error) => !(error instanceof StepFailed));
  if (fatal !== undefined) throw errors.find((error) => error instanceof RunEnded) ?? fatal;
  const need = options.atLeast ?? items.length;
  if (items.length - errors.length < need) throw errors[0];
  return settled.map((each) => (each.status === "fulfilled" ? each.value : undefined));
}

function requireCap(cap: number): number {
  if (Number.isInteger(cap) && cap >= 1) return cap;
  throw new SignalboxError(
    "LOOP_INVALID",
    `parallel() cannot let ${cap} dispatches run at once.`,
    "Set `cap` to a whole number of at least 1.",
  );
}

function getBranchName(item: unknown): string {
  if (typeof item === "string" || typeof item === "number") return String(item);
  if (typeof item === "object" && item !== null && "id" in item) return String(item.id);
  throw new SignalboxError(
    "BRANCH_DUPLICATE",
    "A branch of parallel() has no name: its item is neither a string nor an object with an `id`.",
    "Give parallel() a `key` that names each item.",
  );
}

async function runRounds<T extends { decision: Decision }>(
  { run, scope, n }: BranchPosition,
  options: { readonly max: number; readonly stop?: (history: readonly Decision[]) => string | undefined },
  body: (round: Round) => Promise<T>,
): Promise<LoopEnd<T>> {
  if (!Number.isInteger(options.max) || options.max < 1) {
    throw new SignalboxError(
      "LOOP_INVALID",
      `A loop cannot have ${options.max} rounds.`,
      "Set `max` to a whole number of at least 1.",
    );
  }
  const all: T[] = [];
  const history: Decision[] = [];
  for (let round = 1; ; round += 1) {
    const child = createChildScope(scope, { n, name: formatRoundName(round), round, repeats: true });
    const last = await runInScope(run, child, () =>
      body({ round, findings: history.at(-1)?.findings ?? [], history: [...history] }),
    );
    copyScopeBack(scope, child);
    all.push(last);
    history.push(last.decision);
    const common = { ...last, rounds: round, all };
    if (last.decision.passed) return { ...common, ended: "passed" };
    const why = options.stop?.(history);
    if (why !== undefined) return { ...common, ended: "stopped", why };
    if (round === options.max) return { ...common, ended: "exhausted" };
  }
}

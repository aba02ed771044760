import type { Announcement } from "../../core/authoring/announcement.ts";
import { FINISHED } from "../../core/authoring/end.ts";
import type { Head } from "../../core/authoring/observations.ts";
import type { MergeResult, Verbs, WriteResult } from "../../core/authoring/verbs.ts";
import { isAnnouncedTest } from "../../core/checks/exam/test-name.ts";
import type { Effect, EffectKind, EffectKinds, EffectResult } from "../../core/journal/effect.ts";
import type { Json } from "../../core/text/json.ts";
import { removeRunId, runStep, type StepPlace, type StepSpec } from "../replay/step.ts";
import { createNever, type Run, StepFailed } from "../run.ts";
import { listKnownTests } from "./check-runs.ts";
import { storeMergedDrops } from "./facts/dropped-files.ts";
import { storeMergedWork } from "./facts/same-work.ts";
import { describeAnnounced, dropFilelessPatterns, listFilelessPatterns } from "./interlock/announced-tests.ts";

type WorldVerbs = Pick<Verbs<unknown>, "see" | "write" | "note" | "announce" | "merge">;

/** see(), write(), note(), announce(), merge(): recorded observations and harmless changes. */
export function createWorldVerbs(run: Run): WorldVerbs {
  return {
    see: (what, ...args) =>
      runStepOrThrow(run, {
        verb: "see",
        name: what,
        input: args[0] ?? null,
        work: async (place) => ({ value: await observe(run, place, what, (args[0] ?? null) as Json) }),
      }) as never,
    write: (path, text, options = {}) => {
      const to = options.to ?? "tree";
      return runStepOrThrow(run, {
        verb: "write",
        name: path,
        input: { text: run.world.hash(removeRunId(run, text)), to, ifHash: options.ifHash },
        formerly: { text: run.world.hash(text), to, ifHash: options.ifHash },
        work: async (place) => {
          const request = {
            path,
            text,
            to: to === "tree" ? ("mirror" as const) : ("checkout" as const),
            ...(options.ifHash === undefined ? {} : { ifHash: options.ifHash }),
          };
          const writing = performOnce(run, place, { kind: "write", request });
          const written = await (options.lenient ? writing.catch(toRefusedWrite) : writing);
          const isUndone = options.undo !== undefined && written.refused === undefined;
          return { value: isUndone ? { ...written, undo: { path, text: options.undo } } : written };
        },
        keep: (_written, { seq }) => {
          if (to === "checkout") run.state.written.set(path, { seq, value: text });
          if (to === "tree") run.state.rendered.set(path, { seq, value: text });
          // A file that is replaced only while unchanged belongs to a person: it is not restored if they remove it.
          else if (options.ifHash === undefined) run.state.projected.set(path, { seq, value: text });
        },
      });
    },
    note: (facts) =>
      runStepOrThrow(run, {
        verb: "note",
        name: "note",
        input: facts,
        // The facts themselves are stored; readers of the journal can show them.
        work: async () => ({ value: facts }),
      }) as Promise<never>,
    announce: async (changes, { instead = false } = {}) => {
      const { announced } = run.state;
      // Most plans announce nothing: that is no step.
      if (changes.length === 0 && !(instead && announced.length > 0)) return;
      // The location is only shown to people: a pipeline that changes it later has announced the same.
      const plain = changes.map(({ from: _from, ...change }) => change);
      const counting = dropFilelessPatterns(changes);
      await runStepOrThrow(run, {
        verb: "announce",
        name: "announce",
        input: plain,
        work: async () => ({
          value: {
            announced: plain,
            unknown: [...listFilelessPatterns(changes), ...(await listUnknownTests(run, counting))],
            excuses: await describeAnnounced(run, changes),
          },
        }),
        keep: () => announced.splice(instead ? 0 : announced.length, announced.length, ...counting),
      });
    },
    merge: (base, trees) => {
      if (trees.length === 0) return mergeNothing(run, base.tree);
      const request = { base: base.tree, trees: trees.map((each) => each.tree) };
      return runStepOrThrow<MergeResult>(run, {
        verb: "merge",
        name: "merge",
        input: request,
        work: async (place) => ({ value: await performOnce(run, place, { kind: "merge", request }) }),
        keep: (merged) => {
          if (!merged.clean) return;
          const parts = [request.base, ...request.trees];
          storeMergedDrops(run, merged.tree.tree, parts);
          storeMergedWork(run, merged.tree.tree, parts);
        },
      });
    },
  };
}

/** Lists announced names that match no test of the tree that the run started from: they have no effect. */
async function listUnknownTests(run: Run, changes: readonly Announcement[]): Promise<readonly string[]> {
  const known = await listKnownTests(run, run.started.base.tree);
  if (!known) return [];
  const said = changes.flatMap(({ tests }) => tests);
  return said.filter((each) => !known.some((name) => isAnnouncedTest(each, name)));
}

const toRefusedWrite = (error: unknown): WriteResult => ({
  hash: "",
  refused: error instanceof Error ? error.message : String(error),
});

/** An empty merge is still a step: the next verb keeps its place. */
function mergeNothing(run: Run, tree: string): Promise<MergeResult> {
  return runStepOrThrow<MergeResult>(run, {
    verb: "merge",
    name: "merge",
    input: { base: tree, trees: [] },
    work: async () => ({ value: { clean: true, tree: { tree } } }),
  });
}

export async function runStepOrThrow<T>(run: Run, spec: StepSpec<T>): Promise<T> {
  const outcome = await runStep(run, spec);
  if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
  return outcome.value;
}

/** Performs the single effect of a step; the start of the step is its intent. */
export async function performOnce<K extends EffectKind>(
  run: Run,
  place: StepPlace,
  effect: { readonly kind: K; readonly request: EffectKinds[K]["request"] },
): Promise<EffectResult<K>> {
  await run.recorder.durable();
  // Kind and request came together, so they still fit.
  const whole = { id: `${run.id}/${place.key}@1`, run: run.id, ...effect } as unknown as Effect<K>;
  const result = await run.effect(place.past ? "resume" : "start", whole);
  return run.over ? createNever() : result;
}

async function observe(run: Run, place: StepPlace, what: string, args: Json): Promise<Json> {
  if (what === "now") return run.world.now();
  if (what === "uuid") return toUuid(run.world.hash(run.world.newId()));
  if (what === "runs") return listOtherRuns(run);
  if (what === "policy") return run.started.policy ?? null;
  const seen = await performOnce(run, place, { kind: "see", request: { what, args } });
  // The value went through JSON, and only the kind says what it is.
  if (what === "head") return toRunHead(run, seen as unknown as Head);
  if (what !== "startup") return seen;
  return { ...(seen as object), commands: listCommands(run), protectedPaths: run.started.protectedPaths ?? [] };
}

/**
 * Returns the commit that the run began at, wherever the checkout is now. Commits of the run have it as their parent;
 * work on another tree would include that tree's changes in the run's name.
 */
function toRunHead({ started: { base } }: Run, now: Head): Json {
  if (now.commit === base.commit) return now;
  return { commit: base.commit, tree: base.tree, branch: null, moved: now.commit };
}

async function listOtherRuns({ id, host, pipeline, world }: Run): Promise<Json> {
  const repo = (await host.runs.get(id))?.repo;
  const runs = repo === undefined ? [] : await host.runs.list({ repo });
  const open = runs.filter(({ status }) => !FINISHED.some((end) => end === status));
  return open
    .filter((row) => row.id !== id && row.pipeline === pipeline.name)
    .map((row) => ({
      run: row.id,
      status: row.status,
      owned: row.owner !== null && (row.leaseUntil ?? 0) > world.now(),
    }));
}

/** Formats a hash as a UUID of version 4, as other tools expect. */
function toUuid(hash: string): string {
  const [a, b, c, d, e] = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(13, 16),
    hash.slice(17, 20),
    hash.slice(20, 32),
  ];
  return `${a}-${b}-4${c}-8${d}-${e}`;
}

/** Returns the commands of the run's start: an observation must not depend on its performer. */
function listCommands(run: Run): Record<string, string> {
  return Object.fromEntries(run.started.commands.map((command) => [command.name, command.run]));
}

import type { MergeResult, WriteResult } from "../../src/core/authoring/verbs.ts";
import type { SignalboxError } from "../../src/core/failure/errors.ts";
import type { Effect, EffectKind } from "../../src/core/journal/effect.ts";
import type { Json } from "../../src/core/text/json.ts";
import type { Cast } from "./agents.ts";
import type { Chance } from "./chance.ts";
import { checked } from "./checks.ts";
import type { Clock } from "./clock.ts";
import type { Trees } from "./trees.ts";
import type { Witness } from "./witness.ts";

/** The world that effects change: one for all engines of a schedule, like a machine. */
export type Scene = {
  readonly cast: Cast;
  readonly trees: Trees;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly witness: Witness;
  /** Performs effects of the scenario's own world, in the paper world's format. */
  readonly paper: (effect: Effect) => unknown;
  /** Files that the run or a person has written to the checkout. */
  readonly checkout: Map<string, string>;
  /** Number of runs of each command on each tree. */
  readonly runs: Map<string, number>;
  /** Probability that a check, a merge or a read differs from the scenario. */
  readonly trouble: number;
  /** Called at each effect that uses a disk: returns its error, if any. */
  readonly broken: () => SignalboxError | undefined;
};

export type FileSeen = { readonly text: string; readonly hash: string } | null;

/** Performs an effect on paper, with the schedule's changes to merges, reads and checks. */
export function act(scene: Scene, effect: Effect<Exclude<EffectKind, "attempt">>): unknown {
  const { trees, paper, witness } = scene;
  switch (effect.kind) {
    case "check":
      return checked(scene, effect);
    case "exam":
    case "without":
      return paper(effect);
    case "merge":
      return mergeTrees(scene, effect);
    case "commit": {
      const orders = witness.commits.get(effect.id) ?? new Set();
      witness.commits.set(effect.id, orders.add(JSON.stringify(effect.request)));
      return paper({ ...effect, request: { ...effect.request, tree: trees.paper(effect.request.tree) } });
    }
    case "write":
      return writeFile(scene, effect);
    case "see":
      return readWorld(scene, effect);
  }
}

function mergeTrees({ trees, paper, chance, trouble }: Scene, effect: Effect<"merge">): MergeResult {
  const { base, trees: parts } = effect.request;
  // Git merges the same trees the same way every time.
  const luck = chance.of(`merge ${base} ${parts.join(" ")}`);
  if (parts.length > 1 && luck.odds(trouble / 2))
    return { clean: false, at: parts.length - 1, conflicts: ["src/a.ts"] };
  const request = { base: trees.paper(base), trees: parts.map(trees.paper) };
  const result = paper({ ...effect, request }) as MergeResult;
  return result.clean ? { clean: true, tree: { tree: trees.name(result.tree.tree) } } : result;
}

/** Returns old text, new text or a refusal, as a workspace does when it replaces a file of the checkout. */
function writeFile(scene: Scene, effect: Effect<"write">): WriteResult {
  const { path, text, to, ifHash } = effect.request;
  const result = scene.paper(effect) as { hash: string };
  if (to !== "checkout") return result;
  const there = lookAt(scene, effect, path);
  if (ifHash !== undefined && there?.hash !== ifHash && there?.hash !== result.hash) {
    return { hash: there?.hash ?? "", refused: `${path} was edited after the run read it` };
  }
  scene.checkout.set(path, text);
  scene.witness.writes.push({ path, text, at: scene.clock.now() });
  return result;
}

function lookAt({ checkout, paper }: Scene, effect: Effect, path: string): FileSeen {
  const text = checkout.get(path);
  if (text === undefined) {
    // Reads the scenario's own checkout for files that nobody has written yet.
    return paper({ ...effect, kind: "see", request: { what: "file", args: { path } } } as Effect<"see">) as FileSeen;
  }
  // The paper world hashes the text that it writes.
  const request = { path, text, to: "mirror" } as const;
  return { text, ...(paper({ ...effect, kind: "write", request } as Effect<"write">) as { hash: string }) };
}

function readWorld(scene: Scene, effect: Effect<"see">): Json {
  const { what, args } = effect.request;
  const { path, in: tree } = (args ?? {}) as { path?: string; in?: unknown };
  if (what === "file" && path !== undefined && tree === undefined) return lookAt(scene, effect, path);
  const look = { what, args: renameTrees(args, scene.trees.paper) };
  // The paper world returns JSON.
  const result = renameTrees(scene.paper({ ...effect, request: look }) as Json, scene.trees.name);
  const luck = scene.chance.of(`see ${effect.id}`);
  if (what !== "checkout" || !luck.odds(scene.trouble / 4)) return result;
  return { ...(result as object), dirt: ["notes.txt"], ...(luck.odds(0.3) ? { operation: "rebase" } : {}) };
}

/** Renames trees wherever a text in the value is one. */
function renameTrees(value: Json, name: (tree: string) => string): Json {
  if (typeof value === "string") return name(value);
  if (Array.isArray(value)) return value.map((each) => renameTrees(each, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renameTrees(each ?? null, name)]));
}

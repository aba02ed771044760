import type { Json } from "../../core/json.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import type { forward } from "./forward.ts";
import type { Memory } from "./memory.ts";
import type { Item, Roadmap } from "./roadmap.ts";
import type { Step } from "./route.ts";
import type { Steps } from "./steps.ts";

export type Start = {
  readonly item: Item;
  readonly roadmap: Roadmap;
  readonly memory: Memory;
  /** The tree of the last done item. */
  readonly base: Tree;
  /** What only the engine writes, as globs that refuse it: no agent's change to it is taken. */
  readonly kept: readonly string[];
};

/** Where one item is worked on: everything that its steps share. */
export type Place = Start & {
  readonly verbs: Verbs<unknown>;
  readonly steps: Steps;
  readonly route: readonly Step[];
  /** The commands of the configuration, by name. */
  readonly known: Readonly<Record<string, string>>;
};

/** What is known about the item before it is built, as Architect and Implement are told it. */
export type Findings = { readonly research?: Json; readonly planningResearch?: Json };
export type Prepared = {
  readonly tree: Tree;
  readonly findings: Findings;
  readonly design?: ReturnType<typeof forward.design> | { readonly adrPath: string };
};

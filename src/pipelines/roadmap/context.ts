import type { Tree } from "../../core/authoring/tree.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import type { Json } from "../../core/text/json.ts";
import type { Item, Roadmap } from "./choosing/roadmap.ts";
import type { EarlierWork } from "./item/earlier-work.ts";
import type { forward } from "./item/item-context.ts";
import type { Step } from "./item/route.ts";
import type { Memory } from "./recording/memory.ts";
import type { Steps } from "./steps.ts";

export type Start = {
  readonly item: Item;
  readonly roadmap: Roadmap;
  readonly memory: Memory;
  /** The tree of the last done item. */
  readonly base: Tree;
  /** What only the engine writes, as globs that refuse it: no agent's change to it is taken. */
  readonly kept: readonly string[];
  /** What a person said when the run was let go on with this item. */
  readonly note?: string | undefined;
};

/** Where one item is worked on: everything that its steps share. */
export type ItemContext = Start & {
  readonly verbs: Verbs<unknown>;
  readonly steps: Steps;
  readonly route: readonly Step[];
  /** The commands of the configuration, by name. */
  readonly known: Readonly<Record<string, string>>;
  /** Where this repository keeps its decisions. */
  readonly adrs: string;
  readonly earlier: EarlierWork | undefined;
};

/** What is known about the item before it is built, as Architect and Implement are told it. */
export type Findings = { readonly research?: Json; readonly planningResearch?: Json };
export type Preparation = {
  readonly tree: Tree;
  readonly findings: Findings;
  readonly design?: ReturnType<typeof forward.design> | { readonly adrPath: string };
};

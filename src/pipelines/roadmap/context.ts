import type { Tree } from "../../core/authoring/tree.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import type { Json } from "../../core/text/json.ts";
import type { Item, Roadmap } from "./choosing/roadmap.ts";
import type { EarlierWork } from "./item/earlier-work.ts";
import type { forward } from "./item/item-context.ts";
import type { ItemStep } from "./item/route.ts";
import type { Memory } from "./recording/memory.ts";
import type { Steps } from "./steps.ts";

export type ItemStart = {
  readonly item: Item;
  readonly roadmap: Roadmap;
  readonly memory: Memory;
  /** The tree of the last done item. */
  readonly base: Tree;
  /** Globs that exclude files only the engine may write. */
  readonly kept: readonly string[];
  /** The person's note when the run continued with this item. */
  readonly note?: string | undefined;
};

/** Data that all steps of one item share. */
export type ItemContext = ItemStart & {
  readonly verbs: Verbs<unknown>;
  readonly steps: Steps;
  readonly route: readonly ItemStep[];
  /** Commands of the configuration, by name. */
  readonly known: Readonly<Record<string, string>>;
  /** The folder in which this repository keeps its ADRs. */
  readonly adrs: string;
  readonly earlier: EarlierWork | undefined;
};

/** Research results for Architect and Implement. */
export type ResearchFindings = { readonly research?: Json; readonly planningResearch?: Json };
export type Preparation = {
  readonly tree: Tree;
  readonly findings: ResearchFindings;
  readonly design?: ReturnType<typeof forward.design> | { readonly adrPath: string };
};

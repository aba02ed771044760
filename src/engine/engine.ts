import type { Limits } from "../core/budget.ts";
import type { Command } from "../core/effect.ts";
import type { Confidence } from "../core/end.ts";
import type { Pipeline } from "../core/pipeline.ts";
import type { Handlers, Host } from "../core/ports/host.ts";
import type { World } from "../core/ports/world.ts";

export type RunOrder = {
  readonly pipeline: string;
  readonly input: unknown;
  /** The repository's path: what `ps` filters by. */
  readonly repo: string;
  readonly base: { readonly commit: string; readonly tree: string };
  readonly approvals: "interactive" | "autonomous";
  readonly commands: readonly Command[];
  readonly limits: Limits;
  readonly minConfidence: Confidence;
};

export type EngineParts = {
  readonly host: Host;
  readonly world: World;
  readonly pipelines: (name: string) => Pipeline | undefined;
  /** Who performs effects on this machine. */
  readonly performer: Pick<Handlers, "perform" | "recover">;
  /** Names this process among all that may own a run. */
  readonly owner: string;
  /** True where somebody can answer meanwhile: an open question then holds the run instead of parking it. */
  readonly waits: boolean;
};

export type Engine = {
  readonly handlers: Handlers;
  /** Records a new run; nothing is performed until it is driven. */
  start(order: RunOrder): Promise<string>;
};

export declare function createEngine(parts: EngineParts): Engine;

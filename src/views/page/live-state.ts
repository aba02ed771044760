import type { Presence } from "../run-status-text.ts";
import type { Forecast, RunningAgent } from "./page.ts";

/** Facts about a run that are not in its journal, as the surface measured them. */
export type LiveState = {
  readonly presence: Presence;
  /** The name of the repository's folder. */
  readonly repository: string;
  readonly forecast: Forecast | null;
  /** Activity of running agents, by effect. */
  readonly signs: ReadonlyMap<string, AgentActivity>;
};

/** The last observed action of a running agent, and how long it has been silent. */
export type AgentActivity = Pick<RunningAgent, "lastAction" | "silence">;

/** Live state when nothing was measured. */
export const NO_LIVE_STATE: LiveState = {
  presence: { owned: false, answered: new Set() },
  repository: "",
  forecast: null,
  signs: new Map(),
};

import type { Presence } from "../run-status-text.ts";
import type { AgentAtWork, Forecast } from "./page.ts";

/** What no journal knows, as whoever looks has found it. */
export type Around = {
  readonly presence: Presence;
  /** The name of the repository's folder. */
  readonly repository: string;
  readonly forecast: Forecast | null;
  /** Of agents at work, by the effect. */
  readonly signs: ReadonlyMap<string, SignsOfLife>;
};

/** What an agent at work was last seen to do, and for how long it has been silent. */
export type SignsOfLife = Pick<AgentAtWork, "lastAction" | "silence">;

/** Nobody has looked. */
export const UNSEEN: Around = {
  presence: { owned: false, answered: new Set() },
  repository: "",
  forecast: null,
  signs: new Map(),
};

import type { Pipeline } from "../authoring/pipeline.ts";
import type { Driver } from "./driver.ts";

export type Definition = {
  readonly prompt: string;
  readonly driver: Driver;
  readonly model?: string;
  readonly signature?: string;
  /** Source of the prompt, for people: built in, or a file of the repository. */
  readonly from: string;
  /** Fallback agent of the role, used when the usage window of this one is exhausted. */
  readonly instead?: string;
};

/** Resolves the prompt, model and driver of a role in this repository. */
export interface Definitions {
  /** `instead` is the position in the list of agents: 0 is the first choice, then the fallbacks. */
  define(pipeline: Pipeline, role: string, instead?: number): Promise<Definition>;
}

import type { Pipeline } from "../authoring/pipeline.ts";
import type { Driver } from "./driver.ts";

export type Definition = {
  readonly prompt: string;
  readonly driver: Driver;
  readonly model?: string;
  readonly signature?: string;
  /** Where the prompt comes from, for people: built in, or a file of the repository. */
  readonly from: string;
  /** Who plays the role when the usage window of this one is used up. */
  readonly instead?: string;
};

/** Which prompt, model and driver a role has in this repository. */
export interface Definitions {
  /** `instead` counts from the first choice, 0, along those who are named to play instead. */
  define(pipeline: Pipeline, role: string, instead?: number): Promise<Definition>;
}

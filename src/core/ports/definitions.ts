import type { Pipeline } from "../pipeline.ts";
import type { Driver } from "./driver.ts";

export type Definition = {
  readonly prompt: string;
  readonly driver: Driver;
  readonly model?: string;
  readonly signature?: string;
  /** Where the prompt comes from, for people: built in, or a file of the repository. */
  readonly from: string;
};

/** Which prompt, model and driver a role has in this repository. */
export interface Definitions {
  define(pipeline: Pipeline, role: string, instance: string): Promise<Definition>;
}

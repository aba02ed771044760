import type { Pipeline } from "../core/authoring/pipeline.ts";

/** Built-in pipelines, in display order. Each is loaded on first use. */
export const BUILT_IN: Readonly<Record<string, () => Promise<Pipeline>>> = {
  task: async () => anyInput((await import("./task/index.ts")).task),
  roadmap: async () => anyInput((await import("./roadmap/index.ts")).roadmap),
  phases: async () => anyInput((await import("./phases/index.ts")).phases),
  ledger: async () => anyInput((await import("./ledger/index.ts")).ledger),
  clusters: async () => anyInput((await import("./clusters/index.ts")).clusters),
  ticket: async () => anyInput((await import("./ticket/index.ts")).ticket),
};

/** The inputs differ; each is parsed by the pipeline's own schema before a run exists. */
function anyInput<Input>(pipeline: Pipeline<Input>): Pipeline {
  // True because a body is never called with input that its schema has not parsed.
  return pipeline as unknown as Pipeline;
}

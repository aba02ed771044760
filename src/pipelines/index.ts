import type { Pipeline } from "../core/authoring/pipeline.ts";

/** Built-in pipelines, in display order. Each is loaded on first use. */
export const BUILT_IN: Readonly<Record<string, () => Promise<Pipeline>>> = {
  task: async () => widenInput((await import("./task/index.ts")).task),
  roadmap: async () => widenInput((await import("./roadmap/index.ts")).roadmap),
  phases: async () => widenInput((await import("./phases/index.ts")).phases),
  ledger: async () => widenInput((await import("./ledger/index.ts")).ledger),
  clusters: async () => widenInput((await import("./clusters/index.ts")).clusters),
  ticket: async () => widenInput((await import("./ticket/index.ts")).ticket),
};

/** The inputs differ; each is parsed by the pipeline's own schema before a run exists. */
function widenInput<Input>(pipeline: Pipeline<Input>): Pipeline {
  // True because a body is never called with input that its schema has not parsed.
  return pipeline as unknown as Pipeline;
}

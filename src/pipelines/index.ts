import type { Pipeline } from "../core/authoring/pipeline.ts";

/** The built-in pipelines, in the order in which people are shown them. Each is read when somebody asks for it. */
export const BUILT_IN: Readonly<Record<string, () => Promise<Pipeline>>> = {
  task: async () => anyInput((await import("./task/index.ts")).task),
  roadmap: async () => anyInput((await import("./roadmap/index.ts")).roadmap),
  phases: async () => anyInput((await import("./phases/index.ts")).phases),
  ledger: async () => anyInput((await import("./ledger/index.ts")).ledger),
  clusters: async () => anyInput((await import("./clusters/index.ts")).clusters),
  ticket: async () => anyInput((await import("./ticket/index.ts")).ticket),
};

/** Their inputs differ, and each is parsed by the pipeline's own schema before a run exists. */
function anyInput<Input>(pipeline: Pipeline<Input>): Pipeline {
  // True because nothing calls a body with what its `input` has not parsed.
  return pipeline as unknown as Pipeline;
}

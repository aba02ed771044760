import type { Pipeline } from "../core/pipeline.ts";
import { clusters } from "./clusters/index.ts";
import { ledger } from "./ledger/index.ts";
import { phases } from "./phases/index.ts";
import { roadmap } from "./roadmap/index.ts";
import { ticket } from "./ticket/index.ts";

/** The built-in pipelines, in the order in which people are shown them. */
export const PIPELINES: readonly Pipeline[] = [
  anyInput(roadmap),
  anyInput(phases),
  anyInput(ledger),
  anyInput(clusters),
  anyInput(ticket),
];

/** Their inputs differ, and each is parsed by the pipeline's own schema before a run exists. */
function anyInput<Input>(pipeline: Pipeline<Input>): Pipeline {
  // True because nothing calls a body with what its `input` has not parsed.
  return pipeline as unknown as Pipeline;
}

import type { Pipeline } from "../../core/authoring/pipeline.ts";
import type { World } from "../../core/ports/world.ts";

/** The body's own text, its version and its phases: enough to say later that the code is not the same. */
export function hashOfPipeline(world: Pick<World, "hash">, pipeline: Pipeline): string {
  const phases = pipeline.phases.map((phase) => phase.title);
  return world.hash([pipeline.name, pipeline.version, ...phases, String(pipeline.body)].join("\n")).slice(0, 16);
}

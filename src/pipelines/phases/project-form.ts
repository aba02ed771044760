import { z } from "zod";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";

/** Where projects of this kind keep the schemas of what their own orchestrator writes. */
const EVENT_SCHEMA = "schemas/orchestrator.gate-event.schema.json";
const PLAN_SCHEMA = "schemas/planner.plan.schema.json";

/** In which form a project's own tools expect plans and events; empty for projects without such tools. */
export type ProjectForm = {
  /** The words that its events may use. */
  readonly events?: { readonly event_type: readonly string[]; readonly workflow_state: readonly string[] };
  /** Its plans have a schema of their own, which knows nothing of ours. */
  readonly plan?: true;
};

export async function projectForm({ see }: Pick<Verbs<unknown>, "see">, tree: Tree): Promise<ProjectForm> {
  const events = await see("file", { path: EVENT_SCHEMA, in: tree });
  const plan = await see("file", { path: PLAN_SCHEMA, in: tree });
  const words = events === null ? undefined : wordsIn(events.text);
  return { ...(words && { events: words }), ...(plan !== null && { plan: true }) };
}

const enumOf = z.object({ enum: z.array(z.string()).min(1) });
const EventSchema = z.object({ properties: z.object({ event_type: enumOf, workflow_state: enumOf }) });

/** What cannot be read binds nobody: the project's own tools will say so. */
function wordsIn(text: string): ProjectForm["events"] {
  try {
    const { properties } = EventSchema.parse(JSON.parse(text));
    return { event_type: properties.event_type.enum, workflow_state: properties.workflow_state.enum };
  } catch {
    return undefined;
  }
}

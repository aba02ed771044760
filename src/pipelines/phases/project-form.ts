import { z } from "zod";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";

/** Paths of the schemas that such projects use for the output of their own orchestrator. */
const EVENT_SCHEMA = "schemas/orchestrator.gate-event.schema.json";
const PLAN_SCHEMA = "schemas/planner.plan.schema.json";

/** Forms that a project's own tools expect of plans and events; empty without such tools. */
export type ProjectForm = {
  /** Values that the project's event schema allows. */
  readonly events?: { readonly event_type: readonly string[]; readonly workflow_state: readonly string[] };
  /** The project has its own plan schema. */
  readonly plan?: true;
};

export async function loadProjectForm({ see }: Pick<Verbs<unknown>, "see">, tree: Tree): Promise<ProjectForm> {
  const events = await see("file", { path: EVENT_SCHEMA, in: tree });
  const plan = await see("file", { path: PLAN_SCHEMA, in: tree });
  const words = events === null ? undefined : parseEventWords(events.text);
  return { ...(words && { events: words }), ...(plan !== null && { plan: true }) };
}

const EnumSchema = z.object({ enum: z.array(z.string()).min(1) });
const EventSchema = z.object({ properties: z.object({ event_type: EnumSchema, workflow_state: EnumSchema }) });

/** An unreadable schema is ignored; the project's own tools report it. */
function parseEventWords(text: string): ProjectForm["events"] {
  try {
    const { properties } = EventSchema.parse(JSON.parse(text));
    return { event_type: properties.event_type.enum, workflow_state: properties.workflow_state.enum };
  } catch {
    return undefined;
  }
}

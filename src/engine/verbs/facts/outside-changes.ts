import type { Answer } from "../../../core/authoring/verbs.ts";
import type { StepPlace } from "../../replay/step.ts";
import type { Run } from "../../run.ts";
import { type DispatchRequest, toDispatchFields } from "../attempt-request.ts";
import { storeDropped } from "./dropped-files.ts";
import { storeSameWork } from "./same-work.ts";

type WriterAnswer = { readonly answer: unknown; readonly place: StepPlace & { readonly seq: number } };

/** Stores changes that were not taken, for the next agent that works on this tree. */
export function storeOutsideChanges(run: Run, request: DispatchRequest, { answer, place }: WriterAnswer): void {
  if (!request.role.writes) return;
  // The answer of a role that writes has these fields.
  const { after, changed, outside } = answer as Answer<unknown, true>;
  const { role, instance, task = "" } = toDispatchFields(place, request, 0).fields;
  const tree = request.options.in?.tree ?? run.started.base.tree;
  const { writes } = request.options;
  storeSameWork(run, { tree, after: after.tree, changed });
  storeDropped(run, { role, instance, task, tree, after: after.tree, changed, outside, writes, seq: place.seq });
}

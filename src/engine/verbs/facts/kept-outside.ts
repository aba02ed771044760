import type { Answer } from "../../../core/authoring/verbs.ts";
import type { StepPlace } from "../../replay/step.ts";
import type { Run } from "../../run.ts";
import { type DispatchRequest, dispatchFields } from "../attempt-request.ts";
import { keepDropped } from "./dropped-files.ts";
import { keepSameWork } from "./work-in-tree.ts";

type WriterAnswer = { readonly answer: unknown; readonly place: StepPlace & { readonly seq: number } };

/** Stores changes that were not taken, for the next agent that works on this tree. */
export function keepOutside(run: Run, request: DispatchRequest, { answer, place }: WriterAnswer): void {
  if (!request.role.writes) return;
  // The answer of a role that writes has these fields.
  const { after, changed, outside } = answer as Answer<unknown, true>;
  const { role, instance, task = "" } = dispatchFields(place, request, 0).fields;
  const tree = request.options.in?.tree ?? run.started.base.tree;
  const { writes } = request.options;
  keepSameWork(run, { tree, after: after.tree, changed });
  keepDropped(run, { role, instance, task, tree, after: after.tree, changed, outside, writes, seq: place.seq });
}

import { valueRule } from "../../core/authoring/rule.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import type { Phase, Plan } from "./planning/plan.ts";
import { judged } from "./review/findings.ts";

export type Todo = { readonly phase_id: number; readonly title: string; readonly wave: number; readonly done: boolean };

/** One item per phase. */
export function todoOf({ phases }: Pick<Plan, "phases">, marked: readonly number[]): readonly Todo[] {
  return phases.map(({ phase_id, title, wave }) => ({
    phase_id,
    title: `Phase ${phase_id} — ${title}`,
    wave,
    done: marked.includes(phase_id),
  }));
}

/**
 * Before a phase of a wave starts, every item of the waves before it is closed.
 * @rule P-26 (gate) Every phase has one todo item, closed by itself when the phase is verified; an open one holds back
 *   the waves after it.
 */
export const EARLIER_TODOS = valueRule({
  id: "P-26",
  because: "no item of an earlier wave is open",
  judge: ({ phase, todo }: { phase: Pick<Phase, "wave">; todo: readonly Todo[] }) =>
    judged(todo.filter((item) => !item.done && item.wave < phase.wave).map((item) => `still open: ${item.title}`)),
});

/**
 * At the end none is left.
 * @rule P-65 (gate) Neither a wave nor the end goes on over a todo list that is not right.
 */
export const ALL_TODOS = valueRule({
  id: "P-65",
  because: "every item of the todo list is completed",
  judge: ({ todo }: { todo: readonly Todo[] }) =>
    judged(todo.filter((item) => !item.done).map((item) => `still open: ${item.title}`)),
});

/**
 * What the list says and what is so: whatever differs is set right, and said.
 * @rule P-27 (policy) After a restart the todo list says what is so before anything else is done.
 */
export function corrections(todo: readonly Todo[], complete: readonly number[]): readonly Todo[] {
  return todo
    .filter((item) => item.done !== complete.includes(item.phase_id))
    .map((item) => ({ ...item, done: !item.done }));
}

/** Lists every phase when the plan starts; a plan that replaces another is listed anew. */
export async function listTodos({ note }: Pick<Verbs<unknown>, "note">, todo: readonly Todo[]): Promise<void> {
  await note(Object.fromEntries(todo.map((item) => [keyOf(item), lineOf(item)])));
}

/** One item, by itself: a branch writes about its own phase and nobody else's. */
export async function markTodo({ note }: Pick<Verbs<unknown>, "note">, item: Todo): Promise<void> {
  await note({ [keyOf(item)]: lineOf(item) });
}

/** The list against reality, before anything else is done at a boundary. Gives back who is really complete. */
export async function reconcile(
  { note, within }: Pick<Verbs<unknown>, "note" | "within">,
  { todo, complete }: { readonly todo: readonly Todo[]; readonly complete: readonly number[] },
): Promise<readonly number[]> {
  for (const item of corrections(todo, complete)) {
    await within(`todo-${item.phase_id}`, () => markTodo({ note }, item));
  }
  return complete;
}

const keyOf = ({ phase_id }: Todo): string => `todo ${phase_id}`;
const lineOf = ({ title, done }: Todo): string => `[${done ? "x" : " "}] ${title}`;

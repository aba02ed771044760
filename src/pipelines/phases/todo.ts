import { valueRule } from "../../core/authoring/rule.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import type { Phase, Plan } from "./planning/plan.ts";
import { judgeProblems } from "./review/findings.ts";

export type Todo = { readonly phase_id: number; readonly title: string; readonly wave: number; readonly done: boolean };

/** One item per phase. */
export function createTodos({ phases }: Pick<Plan, "phases">, marked: readonly number[]): readonly Todo[] {
  return phases.map(({ phase_id, title, wave }) => ({
    phase_id,
    title: `Phase ${phase_id} — ${title}`,
    wave,
    done: marked.includes(phase_id),
  }));
}

/**
 * All items of earlier waves must be complete before a phase starts.
 * @rule P-26 (gate) The todo list has one item per phase, completed one at a time when the phase is verified; no phase
 *   starts while a todo of an earlier wave is open.
 */
export const EARLIER_TODOS = valueRule({
  id: "P-26",
  because: "no item of an earlier wave is open",
  judge: ({ phase, todo }: { phase: Pick<Phase, "wave">; todo: readonly Todo[] }) =>
    judgeProblems(
      todo.filter((item) => !item.done && item.wave < phase.wave).map((item) => `still open: ${item.title}`),
    ),
});

/**
 * All items must be complete at the end.
 * @rule P-65 (gate) At completion and at each wave boundary, every todo must be complete; otherwise the list is
 *   reconciled first.
 */
export const ALL_TODOS = valueRule({
  id: "P-65",
  because: "every todo item is complete",
  judge: ({ todo }: { todo: readonly Todo[] }) =>
    judgeProblems(todo.filter((item) => !item.done).map((item) => `still open: ${item.title}`)),
});

/**
 * Items that differ from the actual state, corrected.
 * @rule P-27 (policy) After a restart, the engine reconciles the todo list with the actual state before any other work.
 */
export function listCorrections(todo: readonly Todo[], complete: readonly number[]): readonly Todo[] {
  return todo
    .filter((item) => item.done !== complete.includes(item.phase_id))
    .map((item) => ({ ...item, done: !item.done }));
}

/** Writes one item per phase; a replaced plan is listed again. */
export async function listTodos({ note }: Pick<Verbs<unknown>, "note">, todo: readonly Todo[]): Promise<void> {
  await note(Object.fromEntries(todo.map((item) => [getTodoKey(item), formatTodo(item)])));
}

/** Writes one item, so that a branch only touches its own phase. */
export async function markTodo({ note }: Pick<Verbs<unknown>, "note">, item: Todo): Promise<void> {
  await note({ [getTodoKey(item)]: formatTodo(item) });
}

/** Corrects the list at a boundary before any other work. Returns the complete phases. */
export async function correctTodos(
  { note, within }: Pick<Verbs<unknown>, "note" | "within">,
  { todo, complete }: { readonly todo: readonly Todo[]; readonly complete: readonly number[] },
): Promise<readonly number[]> {
  for (const item of listCorrections(todo, complete)) {
    await within(`todo-${item.phase_id}`, () => markTodo({ note }, item));
  }
  return complete;
}

const getTodoKey = ({ phase_id }: Todo): string => `todo ${phase_id}`;
const formatTodo = ({ title, done }: Todo): string => `[${done ? "x" : " "}] ${title}`;

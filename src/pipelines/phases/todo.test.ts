import { describe, expect, it } from "vitest";
import type { Json } from "../../core/text/json.ts";
import { createPhase, createPlan } from "./planning/plan.fixture.ts";
import { correctTodos, createTodos, listCorrections, listTodos, markTodo } from "./todo.ts";

const three = createPlan({ phases: [createPhase(1), createPhase(2), createPhase(3)] });

/** The verbs that the list needs; notes are recorded. */
function createStage() {
  const notes: Readonly<Record<string, Json>>[] = [];
  const note = async (facts: Readonly<Record<string, Json>>) => {
    notes.push(facts);
  };
  const within = <T>(_name: string, body: () => Promise<T>) => body();
  return { notes, note, within };
}

describe("the todo list", () => {
  it("[P-26] has one item per phase, named by number and title", () => {
    expect(createTodos(three, [2]).map(({ title, done }) => `${title} ${done}`)).toEqual([
      "Phase 1 — Part 1 false",
      "Phase 2 — Part 2 true",
      "Phase 3 — Part 3 false",
    ]);
  });

  it("[P-26] is marked one item at a time", async () => {
    const desk = createStage();
    await listTodos(desk, createTodos(three, []));
    for (const item of createTodos(three, [2]).filter((each) => each.done)) await markTodo(desk, item);
    expect(Object.keys(desk.notes[0] ?? {})).toHaveLength(3);
    expect(desk.notes[1]).toEqual({ "todo 2": "[x] Phase 2 — Part 2" });
  });

  it("[P-27] is corrected where it differs from the actual state", async () => {
    const desk = createStage();
    const complete = await correctTodos(desk, { todo: createTodos(three, [1, 2]), complete: [1, 3] });
    expect(complete).toEqual([1, 3]);
    expect(desk.notes).toEqual([{ "todo 2": "[ ] Phase 2 — Part 2" }, { "todo 3": "[x] Phase 3 — Part 3" }]);
  });

  it("[P-65] needs no correction if it is right", () => {
    expect(listCorrections(createTodos(three, [1]), [1])).toEqual([]);
  });
});

import { expect, test } from "vitest";
import { findNamedFiles, selectConcernedPhases, selectDecisions } from "./concerned-phases.ts";
import { createPhase, createPlan } from "./plan.fixture.ts";

const owns = (id: number, ...paths: string[]) =>
  createPhase(id, { files: paths.map((path) => ({ path, action: "modify" as const })) });
const PLAN = createPlan({
  phases: [owns(1, "src/greet.ts", "src/index.ts"), owns(2, "src/door.ts"), owns(3, "lib/index.ts")],
});
const about = (said: string) => selectConcernedPhases(said, PLAN.phases).map(({ phase_id }) => phase_id);

test.each([
  ["in src/greet.ts use a map", [1]],
  ["greet.ts: use a map.", [1]],
  ["phase 2 may take longer", [2]],
  ["phases 1 and 3 first", [1, 3]],
  ["phases 1 to 3 stay small", [1, 2, 3]],
  ["index.ts stays as it is", [1, 3]],
  ["src/index.ts stays as it is", [1]],
  ["keep it short", [1, 2, 3]],
  ["my-src/door.ts.old is no file of it, nor is indoor.ts", [1, 2, 3]],
  ["the last two phases are the best", [1, 2, 3]],
])("%s: phases %j", (said, phases) => {
  expect(about(said)).toEqual(phases);
});

test("a file is matched by its path, or by its name if no path is given", () => {
  expect(findNamedFiles("index.ts", ["src/index.ts", "lib/index.ts"])).toEqual(["src/index.ts", "lib/index.ts"]);
  expect(findNamedFiles("lib/index.ts", ["src/index.ts", "lib/index.ts"])).toEqual(["lib/index.ts"]);
  expect(findNamedFiles("make it so", ["make"])).toEqual(["make"]);
  expect(findNamedFiles("make it so", ["src/make"])).toEqual([]);
});

test("a decision goes to the phases that it concerns, and to all if it names none", () => {
  const greet = { question: "Approve the plan?", choice: "approved, with this note: greet.ts uses a map", by: "Ada" };
  const all = { question: "Which style?", choice: "short", by: "Ada" };
  const told = PLAN.phases.map((each) => selectDecisions([greet, all], PLAN, each));
  expect(told).toEqual([[greet, all], [all], [all]]);
});

import { describe, expect, it } from "vitest";
import { listQuestionsBeforeWave } from "./clarification.ts";
import { createPhase, createPlan } from "./plan.fixture.ts";
import { QUESTION_CLASSES } from "./plan.ts";

const question = (more: object) => ({ question: "Which one?", options: ["a", "b"], recommendation: "a", ...more });
const asked = (id: number, more: object) => {
  const two = createPlan({ phases: [createPhase(1), createPhase(2)], open_questions: [question(more)] });
  return listQuestionsBeforeWave(
    two,
    two.phases.filter((each) => each.phase_id === id),
  ).length;
};

describe("open questions of a plan", () => {
  it.each(QUESTION_CLASSES.filter((kind) => kind !== "answerable"))("[P-53] %s is asked before its phase", (kind) => {
    expect(asked(2, { class: kind, phase_id: 2 })).toBe(1);
    expect(asked(1, { class: kind, phase_id: 2 })).toBe(0);
  });

  it("[P-53] a question without a phase is asked first, and one without a class is asked too", () => {
    expect(asked(1, {})).toBe(1);
    expect(asked(2, {})).toBe(0);
  });

  it("[P-53] a question that the code base can answer is not asked", () => {
    expect(asked(1, { class: "answerable" })).toBe(0);
  });
});

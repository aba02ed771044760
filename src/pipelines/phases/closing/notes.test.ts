import { describe, expect, it } from "vitest";
import { createPhase, createPlan } from "../planning/plan.fixture.ts";
import { describeActive, dropTransientLines, formatNotesFile } from "./notes.ts";

const active = { objective: "Greet people by name", phase: "1 of 2, Part 1: complete", next: "2 of 2, Part 2" };
const text = (before = "", more: Partial<typeof active> = {}, most = 20) =>
  formatNotesFile({ before, active: { ...active, ...more } }, most);

describe("NOTES.md", () => {
  it("[P-43] names objective and phase", () => {
    expect(text()).toContain("Objective: Greet people by name\nPhase: 1 of 2, Part 1: complete\nNext: 2 of 2, Part 2");
  });

  it("[P-43] names what is next, and nothing once all phases are done", () => {
    const whole = createPlan({ phases: [createPhase(1), createPhase(2, { wave: 2 })] });
    const [one, two] = whole.phases;
    // Only the ids of done phases are read.
    const doneWith = (...ids: number[]) => ({ plan: whole, done: new Map(ids.map((id) => [id, {} as never])) });
    expect(describeActive(doneWith(1), one).next).toBe("2 of 2, Part 2");
    expect(describeActive(doneWith(1, 2), two).next).toBe("completion");
    expect(describeActive(doneWith(1, 2))).toMatchObject({
      phase: "2 of 2: complete",
      next: "nothing, it is complete",
    });
  });

  it("[P-43] has at most the number of lines that the policy sets", () => {
    const many = Array.from({ length: 60 }, (_, at) => `Line ${at}`).join("\n");
    expect(text(many).trimEnd().split("\n")).toHaveLength(20);
    expect(text(many, {}, 9).trimEnd().split("\n")).toHaveLength(9);
  });

  it.each(["The third iteration went well", "Verdict: approved", "See plans/x-phase-2-complete.md"])(
    "[P-43] keeps no line such as: %s",
    (line) => {
      expect(text(`Keep this\n${line}`)).toContain("Keep this");
      expect(text(`Keep this\n${line}`)).not.toContain(line);
    },
  );

  it("[P-43] never loses the objective because of a word in it", () => {
    const said = text("", { objective: "Show the verdict of each iteration under phase-1-x" });
    expect(said).toContain("Objective: Show the result of each round under phase 1 x");
  });

  it("[P-43] keeps no code", () => {
    expect(text("Before\n```ts\nconst x = 1;\n```\nAfter")).toMatch(/Before\nAfter\n$/);
  });

  it("[P-43] keeps at most three bullets in a row", () => {
    expect(dropTransientLines(["- a", "- b", "- c", "- d", "x", "- e"])).toEqual(["- a", "- b", "- c", "x", "- e"]);
  });

  it("[P-43] keeps notes of others and rewrites the Active section", () => {
    const first = text("# Notes\n\n## Conventions\n\nTabs.\n");
    const second = text(first, { phase: "2 of 2, Part 2: complete" });
    expect(second).toContain("## Conventions\n\nTabs.");
    expect(second.match(/## Active/g)).toHaveLength(1);
    expect(second).not.toContain("1 of 2");
  });
});

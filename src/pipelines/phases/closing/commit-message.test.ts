import { describe, expect, it } from "vitest";
import { createPhase, createPlan } from "../planning/plan.fixture.ts";
import { formatCommitMessage, formatCommitSubject, PREFIXES } from "./commit-message.ts";

const message = (task_title: string, phases: object[] = [createPhase(1)], kind?: string) =>
  formatCommitSubject(createPlan({ task_title, phases, ...(kind && { kind }) }), "greet-people");

describe("the commit message", () => {
  it("[P-41] starts with one of five prefixes", () => {
    expect(message("Add greetings")).toBe("feat: Add greetings");
    expect(message("Fix the door")).toBe("fix: Fix the door");
    expect(message("refactor: the hall")).toBe("refactor: the hall");
    expect(message("Rename the hall")).toBe("refactor: Rename the hall");
    expect(message("Document it", [createPhase(1, { executor_agent: "TechnicalWriter" })])).toBe("chore: Document it");
    expect(message("Cover greetings", [createPhase(1, { files: [{ path: "src/a.test.ts", action: "create" }] })])).toBe(
      "test: Cover greetings",
    );
  });

  it.each(["docs(x): write it", "style: tidy", "build: faster", "Make it so"])(
    "[P-41] has no other prefix: %s",
    (title) => {
      expect(PREFIXES).toContain(message(title).split(":")[0]);
    },
  );

  it.each([
    ["Add parts of phase 2", "feat: Add parts"],
    ["Phase 1: add parts", "feat: add parts"],
    ["Add parts (phases 1 to 3)", "feat: Add parts"],
    ["Add parts in wave 2", "feat: Add parts"],
  ])("[P-41] contains no phase numbers: %s", (title, expected) => {
    expect(message(title)).toBe(expected);
  });

  it.each([
    ["Add parts as in plans/greet-people-plan.md", "feat: Add parts"],
    ["greet-people-plan: add parts", "feat: add parts"],
    ["Add parts for greet-people", "feat: Add parts"],
  ])("[P-41] contains no plan names: %s", (title, expected) => {
    expect(message(title)).toBe(expected);
  });

  it("[P-80] the subject has at most 50 characters after the prefix, cut between words", () => {
    const long = message("Add a greeting for everybody who comes through the door at night");
    expect(long).toBe("feat: Add a greeting for everybody who comes through…");
    expect(long.slice("feat: ".length).length).toBeLessThanOrEqual(50);
    expect(message("x".repeat(80))).toBe(`feat: ${"x".repeat(49)}…`);
  });

  it.each([
    ["fix", "fix"],
    ["feature", "feat"],
    ["refactor", "refactor"],
    ["docs", "chore"],
  ])("[P-41] a plan of kind %s has the prefix %s, whatever its title says", (kind, prefix) => {
    expect(message("Rename the broken door", [createPhase(1)], kind)).toBe(`${prefix}: Rename the broken door`);
  });

  it("[P-41] a title that describes a fault is a fix", () => {
    expect(message("The door crashes at night")).toBe("fix: The door crashes at night");
  });

  const summary = "Greets everybody who comes in, because phase 2 of greet-people-plan.md asks for it";
  const parts = [
    { title: "Door", objective: "A greeting at the door that names whoever comes in by the name they gave" },
    { title: "Hall", objective: "A light in the hall" },
  ];
  const whole = (more: object, some = parts) =>
    formatCommitMessage({
      plan: createPlan({ summary, ...more }),
      task: "greet-people",
      parts: some,
      gates: ["test passed"],
    });

  it("[P-41] its body states why, in which parts and which gates, in lines of at most 72 characters, without plan or phase", () => {
    expect(whole({ task_title: "Open the house" })).toBe(
      [
        "feat: Open the house",
        "",
        "Greets everybody who comes in, because of asks for it.",
        "",
        "- A greeting at the door that names whoever comes in by the name they",
        "  gave",
        "- A light in the hall",
        "",
        "Gates: test passed.",
      ].join("\n"),
    );
  });

  it("[P-41] repeats nothing: not the title in the summary, not the summary in a part, not a part that is the whole", () => {
    const said = { task_title: "Refuse an empty name", summary: "Refuses empty names." };
    const again = [{ title: "x", objective: "An empty name is refused" }, ...parts.slice(1)];
    expect(whole(said, again)).toBe("feat: Refuse an empty name\n\n- A light in the hall\n\nGates: test passed.");
    expect(whole(said, parts.slice(1))).toBe("feat: Refuse an empty name\n\nGates: test passed.");
  });
});

import { expect, test } from "vitest";
import { formatBrief } from "../core/authoring/brief.ts";
import { Task } from "./ledger/planning/plan.ts";
import { createPlanQuestion } from "./ledger/planning/planning.ts";
import { createPlan } from "./phases/planning/plan.fixture.ts";
import { formatPlanBrief } from "./phases/planning/plan-brief.ts";

test("a plan of the ledger reads task by task in the order of the work, with files and criteria", () => {
  const first = { id: "core", title: "Parse it", size: "Standard", risk: "🟡", depends_on: [], checks: [] };
  const tasks = [
    {
      ...first,
      id: "docs",
      title: "Say it",
      depends_on: ["core"],
      files: ["docs/a.md"],
      acceptance_criteria: ["said"],
    },
    { ...first, files: ["src/a.ts", "src/b.ts"], acceptance_criteria: ["it parses", "it refuses"] },
  ];
  const { brief } = createPlanQuestion({ folder: "f", tasks: tasks.map((task) => Task.parse(task)), last: false });
  expect(formatBrief(brief)).toEqual([
    "core: Parse it (wave 1, 🟡)",
    "  files: src/a.ts, src/b.ts",
    "  done when: it parses",
    "  done when: it refuses",
    "docs: Say it (wave 2, 🟡)",
    "  after core",
    "  files: docs/a.md",
    "  done when: said",
  ]);
});

test("a plan in phases is shown without the fields that only the engine evaluates", () => {
  const lines = formatBrief(formatPlanBrief(createPlan({ success_criteria: ["all parts are there"] })));
  expect(lines.slice(0, 6)).toEqual([
    "Add parts (small)",
    "  Adds a few parts.",
    expect.stringMatching(/^Phase 1: Part 1 \(wave 1, CoreImplementer/),
    "  files: src/1.ts",
    "  done when: a",
    "  test: t",
  ]);
  expect(lines.slice(-2)).toEqual(["Done when", "  all parts are there"]);
  expect(lines.join("\n")).not.toMatch(/confidence|abstain|quality_gates|not_applicable/);
});

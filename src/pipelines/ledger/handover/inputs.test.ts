import { expect, test } from "vitest";
import { ImplementerInput, PlannerInput } from "./inputs.ts";

const finding = {
  severity: "major",
  message: "test passed on the baseline and fails now",
  files: ["src/a.ts"],
  tests: ["greets by name"],
  output: "expected Ada, got nobody",
} as const;
const task = { id: "a", title: "a", size: "Standard", risk: "🟢", depends_on: [], files: ["src/a.ts"] } as const;

test("a replan and a rework get complete findings with failing tests and output", () => {
  const documents = ["docs/feature/a/spec-output.yaml"];
  const sent = [
    PlannerInput.parse({ mode: "replan", design: {}, spec: {}, verdicts: [], documents, findings: [finding] }),
    ImplementerInput.parse({ task: { ...task, acceptance_criteria: [], checks: [] }, documents, findings: [finding] }),
  ];
  for (const { findings } of sent) expect(findings).toEqual([finding]);
});

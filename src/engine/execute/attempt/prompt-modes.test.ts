import { expect, test } from "vitest";
import { z } from "zod";
import { dropUntoldFields, selectModeText } from "./prompt-modes.ts";

const TEXT = `# Planner

You plan.

\`mode: plan\`: cut the design
into tasks.

\`mode: replan | mend\`: settle the findings.

- \`mode: replan\`: what failed stands in \`findings\`,
  with output.
- \`status: done\` when all of it is planned.
- Few tasks.`;

const input = z.object({ mode: z.string().optional() });

test("a paragraph or an item that begins with a word of the input is told to dispatches that say it", () => {
  const plan = selectModeText(TEXT, { role: { input }, input: { mode: "plan" } });
  expect(plan).toContain("You plan.\n\n`mode: plan`: cut the design\ninto tasks.\n\n- `status: done`");
  expect(plan).not.toMatch(/replan|with output/);
  const mend = selectModeText(TEXT, { role: {}, input: { mode: "mend" } });
  expect(mend).toContain("You plan.\n\n`mode: replan | mend`: settle the findings.\n\n- `status: done`");
  expect(selectModeText(TEXT, { role: {}, input: { mode: "replan" } })).toContain("  with output.\n- `status: done`");
});

test("an input without the word is none of its dispatches where it could have it, and all of them where it could not", () => {
  expect(selectModeText(TEXT, { role: { input }, input: {} })).not.toContain("mode:");
  expect(selectModeText(TEXT, { role: {}, input: {} })).toBe(TEXT);
  expect(selectModeText(TEXT, { role: {}, input: "words" })).toBe(TEXT);
});

test("what is there for the record alone is left out of the input", () => {
  const given = { trace_id: "1", request: "greet" };
  expect(dropUntoldFields({ role: { untold: ["trace_id"] }, input: given })).toEqual({ request: "greet" });
  expect(dropUntoldFields({ role: {}, input: given })).toBe(given);
});

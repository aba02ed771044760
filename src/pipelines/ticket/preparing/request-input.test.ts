import { expect, test } from "vitest";
import { createRequestInput } from "./request-input.ts";

const prompt = {
  jira: "ABC-7",
  type: "feature",
  slug: "add_a_function",
  tool_mandates: [],
  original_request: "ABC-7: Add a greeting. It must never raise.",
  refined_prompt: "Add a greeting. It must never raise.",
  created_at: "2030-01-01T00:00:00.000Z",
} as const;
const asked = (success_criteria: string[]) => createRequestInput({ ...prompt, tool_mandates: [], success_criteria });

test("criteria that are sentences of the request are not repeated", () => {
  expect(asked(["Add a greeting.", "It must never raise."])).toEqual({
    type: "feature",
    original_request: prompt.original_request,
  });
});

test("a criterion in other words is forwarded with all of them", () => {
  const success_criteria = ["Add a greeting.", "an empty name is greeted"];
  expect(asked(success_criteria)).toMatchObject({ success_criteria });
});

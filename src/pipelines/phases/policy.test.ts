import { expect, test } from "vitest";
import { readPolicy } from "./policy.ts";

test("[P-46] an unknown key or a wrong type of the policy is refused by name", () => {
  expect(readPolicy('{"retry_budgets":{"fixable_maximum":2}}')).toEqual({
    errors: [expect.stringMatching(/^retry_budgets: .*fixable_maximum/)],
  });
  expect(readPolicy('{"max_parallel_agents":"many"}')).toEqual({
    errors: [expect.stringMatching(/^max_parallel_agents/)],
  });
});

import { expect, test } from "vitest";
import { withoutTimes } from "./without-times.ts";

test("durations of test programs are removed, other numbers stay", () => {
  expect(withoutTimes("# pass 3\n# duration_ms 41.372")).toBe("# pass 3\n# duration_ms …");
  expect(withoutTimes("✓ adds (12ms)\n1 failed, 2 passed in 0.05s")).toBe("✓ adds (…ms)\n1 failed, 2 passed in …s");
  expect(withoutTimes("Time: 1.2 s, 14 tests, v1.2.3, ES5s")).toBe("Time: … s, 14 tests, v1.2.3, ES5s");
});

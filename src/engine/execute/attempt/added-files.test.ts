import { expect, test } from "vitest";
import { getSetupLimit } from "./added-files.ts";

const check = { name: "test", run: "npm test", before: { outcome: "passed" } } as const;

test("any set-up is laid for who writes and for who is told what the checks said of its tree, a small one for other readers", () => {
  const judged = { checks: [{ ...check, now: { outcome: "passed" } as const }] };
  expect([getSetupLimit({ checks: [check] }, true), getSetupLimit(judged, false)]).toEqual([undefined, undefined]);
  expect([getSetupLimit({ checks: [check] }, false), getSetupLimit({}, false)]).toEqual([8_000, 8_000]);
});

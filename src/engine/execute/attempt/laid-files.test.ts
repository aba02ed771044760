import { expect, test } from "vitest";
import { mostEntries } from "./laid-files.ts";

const check = { name: "test", run: "npm test", before: { outcome: "passed" } } as const;

test("any set-up is laid for who writes and for who is told what the checks said of its tree, a small one for other readers", () => {
  const judged = { checks: [{ ...check, now: { outcome: "passed" } as const }] };
  expect([mostEntries({ checks: [check] }, true), mostEntries(judged, false)]).toEqual([undefined, undefined]);
  expect([mostEntries({ checks: [check] }, false), mostEntries({}, false)]).toEqual([8_000, 8_000]);
});

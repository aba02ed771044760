import { expect, test } from "vitest";
import { resolveGatePlace, selectLatestGates } from "./gate-place.ts";

test("the recorded place counts, not the names of its scopes", () => {
  const first = { key: "Work/round-1/g", gate: "g", place: ["Work", "round-1"] };
  const second = { key: "Work/round-2/g", gate: "g", place: ["Work", "round-2"] };
  expect(selectLatestGates([first, second])).toEqual([first, second]);
  const again = { key: "Rest/whatever/g", gate: "g", place: ["", "a"] };
  expect(selectLatestGates([{ ...again, key: "Work/g" }, again])).toEqual([again]);
});

test("another gate at the same place is another", () => {
  const place = ["Work"];
  expect(resolveGatePlace({ key: "k", gate: "a", place })).not.toBe(resolveGatePlace({ key: "k", gate: "b", place }));
});

test("an earlier journal is read by the names that its pipelines gave to repeated gates", () => {
  const placeOf = (key: string, gate: string) => resolveGatePlace({ key, gate });
  const verified = (at: string) => placeOf(`6 Verify/${at}/initials/verified initials`, "verified initials");
  expect(verified("round-1/wave-2")).toBe(verified("round-2/wave-1"));
  const reviewed = (at: string) => placeOf(`${at}/PHASE_REVIEW_GATE phase-1`, "PHASE_REVIEW_GATE phase-1");
  expect(reviewed("ACTING/pass-1/phase-1/round-1")).toBe(reviewed("REVIEWING/pass-2/phase-1/round-2"));
  expect(placeOf("4 Planning/round-1/plan", "plan")).toBe(placeOf("4 Planning/round-2/again/plan", "plan"));
});

import { expect, test } from "vitest";
import { PLAIN } from "../../surfaces/terminal/paint.ts";
import { formatGcPlan } from "./gc-plan.ts";

const REFUSED = "20260102-030405-abcdef";
const LANDED = "20260102-030406-fedcba";
const runOf = (run: string, status: string) => ({ run, status, refs: 1, bytes: 2_000, folder: 0 });
const told = (removed: readonly string[], kept: readonly { what: string; because: string }[] = []) =>
  formatGcPlan(
    { paint: PLAIN },
    { runs: [runOf(REFUSED, "refused"), runOf(LANDED, "done")], cache: 0, attempts: [], setups: 0, otherSetups: 0 },
    { removed, kept, bytes: 0 },
  );
const ONLY = { what: `refs/signalbox/${REFUSED}/t/1`, because: "the run made no commit, so this is its only copy" };

test("only refs without work are removable if a run's work has no other copy", () => {
  const lines = told([`refs/signalbox/${REFUSED}/base/1`], [ONLY]);
  expect(lines[1]).toContain("removable: base ref; snapshots kept: the run made no commit, so this is its only copy");
  expect(lines.at(-1)).toBe("1 ref or folder can be removed, about 0 B; they contain no work.");
});

test("snapshots and branches are removable if a kept branch contains the work", () => {
  const lines = told([`refs/heads/signalbox/${LANDED}`, `refs/signalbox/${LANDED}/t/2`], [ONLY]);
  expect(lines[1]).toContain("kept: the run made no commit");
  expect(lines[2]).toContain("removable: branch, snapshots");
  expect(lines.at(-1)).toContain(
    "2 refs and folders can be removed, about 0 B; their work is on a branch that is kept.",
  );
});

test("snapshots are removable while the run's branch, the only one with its work, is kept", () => {
  const branch = { what: `refs/heads/signalbox/${LANDED}`, because: "it is not merged into another branch" };
  const lines = told([`refs/signalbox/${LANDED}/t/2`], [branch]);
  expect(lines[2]).toContain("removable: snapshots; branch kept: it is not merged into another branch");
});

test("a plan without removals says so", () => {
  expect(told([], [ONLY]).at(-1)).toBe("Nothing to remove: everything is in use or the only copy of its work.");
});

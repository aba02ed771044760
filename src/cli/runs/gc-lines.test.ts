import { expect, test } from "vitest";
import { PLAIN } from "../../surfaces/terminal/paint.ts";
import { planLines } from "./gc-lines.ts";

const REFUSED = "20260102-030405-abcdef";
const LANDED = "20260102-030406-fedcba";
const runOf = (run: string, status: string) => ({ run, status, refs: 1, bytes: 2_000, folder: 0 });
const told = (removed: readonly string[], kept: readonly { what: string; because: string }[] = []) =>
  planLines(
    { paint: PLAIN },
    { runs: [runOf(REFUSED, "refused"), runOf(LANDED, "done")], cache: 0, attempts: [], setups: 0, otherSetups: 0 },
    { removed, kept, bytes: 0 },
  );
const ONLY = { what: `refs/signalbox/${REFUSED}/t/1`, because: "the run made no commit, so this is its only copy" };

test("of a run whose work is nowhere else only what holds no work may go, and that is what is said", () => {
  const lines = told([`refs/signalbox/${REFUSED}/base/1`], [ONLY]);
  expect(lines[1]).toContain(
    "may go: the mark of where it began; snapshots stay: the run made no commit, so this is its only copy",
  );
  expect(lines.at(-1)).toBe("1 ref or folder may go, about 0 B; no work is in them.");
});

test("snapshots and branches go where a branch that stays holds the work", () => {
  const lines = told([`refs/heads/signalbox/${LANDED}`, `refs/signalbox/${LANDED}/t/2`], [ONLY]);
  expect(lines[1]).toContain("stay: the run made no commit");
  expect(lines[2]).toContain("may go: its branch, snapshots");
  expect(lines.at(-1)).toContain("2 refs and folders may go, about 0 B; the work in them is on a branch that stays.");
});

test("snapshots may go while the run's own branch, the only one with its work, stays", () => {
  const branch = { what: `refs/heads/signalbox/${LANDED}`, because: "it is merged into no other branch" };
  const lines = told([`refs/signalbox/${LANDED}/t/2`], [branch]);
  expect(lines[2]).toContain("may go: snapshots; its branch stays: it is merged into no other branch");
});

test("where nothing may go, nothing is promised", () => {
  expect(told([], [ONLY]).at(-1)).toBe("All of it is the only copy of something, or in use.");
});

import { expect, test } from "vitest";
import { NO_LIVE_STATE } from "../src/views/page/live-state.ts";
import { buildRunPage } from "../src/views/page/page-fold.ts";
import { numberLines } from "../web/parts/diff-lines.ts";
import { splitColumns } from "../web/screens/gate/split-columns.ts";
import { buildTimelineLines } from "../web/screens/run/timeline-lines.ts";
import { histories } from "./histories/history.ts";

test("a removed line has no number in the new file, and does not shift the others", () => {
  const hunk = { header: "@@ -1,2 +1,2 @@", oldStart: 1, newStart: 1, lines: ["-old", "+new", " same"] };
  expect(numberLines(hunk).map(({ oldLine, newLine }) => [oldLine, newLine])).toEqual([
    [1, null],
    [null, 1],
    [2, 2],
  ]);
});

test("a column with one value in all rows is shown once, nulls too; a single row is unchanged", () => {
  const columns = ["run", "check", "exit"];
  expect(
    splitColumns({
      columns,
      rows: [
        ["r", "a", null],
        ["r", "b", null],
      ],
    }),
  ).toEqual({
    common: [
      ["run", "r"],
      ["exit", null],
    ],
    table: { columns: ["check"], rows: [["a"], ["b"]] },
  });
  const one = { columns, rows: [["r", "a", null]] };
  expect(splitColumns(one)).toEqual({ common: [], table: one });
});

test("an agent that started after the page's clock last moved has a duration of zero, not a negative one", () => {
  const records = histories()[0]?.records ?? [];
  const began = records.findIndex(({ type }) => type === "agent.started");
  const lines = buildTimelineLines(buildRunPage(records.slice(0, began + 1), NO_LIVE_STATE), 0);
  expect(lines.map(({ ms, bars }) => [ms, bars.every(({ from, to }) => to >= from)])).toEqual([[0, true]]);
});

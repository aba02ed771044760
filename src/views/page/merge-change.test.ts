import { expect, test } from "vitest";
import { NO_LIVE_STATE } from "./live-state.ts";
import { mergeChange } from "./merge-change.ts";
import type { PageChange, RunPage, StepRow } from "./page.ts";
import { buildRunPage } from "./page-fold.ts";

const step = (id: string, text = ""): StepRow => ({
  ...{
    kind: "step",
    id,
    seq: 1,
    phase: "",
    state: "ended",
    key: id,
    verb: "note",
    name: id,
    startedAt: 0,
    ms: 0,
    text,
  },
});
const { head } = buildRunPage([], NO_LIVE_STATE);
const page = (...rows: StepRow[]): RunPage => ({ v: 1, seq: 1, head, rows });
const change = (...rows: StepRow[]): PageChange => ({ run: "r", after: 1, page: { ...page(...rows), seq: 2 } });
const texts = ({ rows }: RunPage) => rows.map((row) => (row.kind === "step" ? `${row.id}${row.text}` : ""));

test("rows are replaced in place, and new ones are appended, change after change", () => {
  const first = mergeChange(page(step("a"), step("b")), change(step("a", "1"), step("c")));
  expect(texts(first)).toEqual(["a1", "b", "c"]);
  expect(texts(mergeChange(first, change(step("c", "2"), step("d"))))).toEqual(["a1", "b", "c2", "d"]);
});

test("two changes of one page are independent of each other", () => {
  const known = page(step("a"));
  expect(texts(mergeChange(known, change(step("b"), step("c"))))).toEqual(["a", "b", "c"]);
  expect(texts(mergeChange(known, change(step("c"))))).toEqual(["a", "c"]);
  expect(texts(known)).toEqual(["a"]);
});

test("a change without rows keeps the identity of the list", () => {
  const known = page(step("a"));
  expect(mergeChange(known, change()).rows).toBe(known.rows);
});

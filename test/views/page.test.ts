import { expect, test } from "vitest";
import { buildAccount } from "../../src/core/budget/account.ts";
import { sumMoney } from "../../src/core/budget/money.ts";
import { explainSkippedExam } from "../../src/core/checks/exam/exam-run-words.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { selectLatestDecisions } from "../../src/views/gates.ts";
import { type LiveState, NO_LIVE_STATE } from "../../src/views/page/live-state.ts";
import { mergeChange } from "../../src/views/page/merge-change.ts";
import type { PageRow } from "../../src/views/page/page.ts";
import { buildRunPage, createPageFold } from "../../src/views/page/page-fold.ts";
import { foldRunView } from "../../src/views/run-view.ts";
import { STATES } from "../../src/views/states.ts";
import { histories } from "../histories/history.ts";
import { chanceOf } from "../simulator/chance.ts";
import { play } from "../simulator/schedule.ts";

const OWNED: LiveState = { ...NO_LIVE_STATE, presence: { owned: true, answered: new Set() } };
const recorded = histories();

test.each(recorded)("the page of $file plus an update equals the later page, wherever it is split", ({ records }) => {
  expectPages(records, 1);
});

test("pages of simulated runs do too, with interruptions, retries and questions", async () => {
  for (let seed = 0; seed < 10; seed += 1) expectPages((await play({ seed })).records, seed);
});

/** Simulates a person who opens the page now and then: the engine runs the first time, and is gone the second. */
function expectPages(records: readonly JournalRecord[], seed: number): void {
  const chance = chanceOf(String(seed));
  for (let turn = 0; turn < 6; turn += 1) {
    const to = chance.between(1, records.length);
    const from = chance.between(0, to);
    const before = buildRunPage(records.slice(0, from), OWNED);
    const fold = createPageFold();
    for (const [at, record] of records.slice(0, to).entries()) {
      fold.take(record);
      // A read in between changes nothing.
      if (at % 29 === 0) fold.page(OWNED);
    }
    const later = buildRunPage(records.slice(0, to), NO_LIVE_STATE);
    expect(mergeChange(from === 0 ? undefined : before, fold.changeAfter(before.seq, NO_LIVE_STATE))).toEqual(later);
    expect(fold.page(NO_LIVE_STATE)).toEqual(later);
  }
}

test.each(recorded)("an update of $file contains no unchanged row", ({ records }) => {
  const { seq } = records.at(-1) ?? { seq: 0 };
  const fold = createPageFold();
  for (const record of records) fold.take(record);
  expect(fold.changeAfter(seq, NO_LIVE_STATE).page.rows).toEqual([]);
  expect(fold.changeAfter(0, NO_LIVE_STATE).page.rows.length).toBe(fold.page(NO_LIVE_STATE).rows.length);
});

test("green means seen by the engine or passed by a gate: no dispatch, no answer, no exam that did not run", () => {
  let unneeded = 0;
  for (const { records } of recorded) {
    const { rows } = buildRunPage(records, NO_LIVE_STATE);
    const green = rows.filter(({ state }) => STATES[state].tone === "good");
    expect(green.filter(({ kind }) => !["phase", "check", "gate"].includes(kind))).toEqual([]);
    const unsatRows = records.flatMap((record) =>
      record.type === "evidence.recorded" && explainSkippedExam(record) !== undefined ? [`check:${record.seq}`] : [],
    );
    unneeded += unsatRows.length;
    expect(rows.filter(({ id }) => unsatRows.includes(id)).map(({ state }) => state)).toEqual(
      unsatRows.map(() => "skipped"),
    );
  }
  expect(unneeded).toBeGreaterThan(0);
});

test.each(recorded)("page and summary lines count the gates of $file the same way", ({ records }) => {
  const standing = selectLatestDecisions(foldRunView(records));
  const passed = standing.filter((decision) => decision.passed).length;
  expect(buildRunPage(records, NO_LIVE_STATE).head.counts).toMatchObject({
    gatesPassed: passed,
    gatesMissed: standing.length - passed,
  });
});

test("a page counts the same as the budget, in total and attempt by attempt", async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const { records } = await play({ seed });
    for (const part of [records, records.slice(0, Math.ceil(records.length / 2))]) {
      const { head, rows } = buildRunPage(part, OWNED);
      const money = buildAccount(part).money();
      expect(head.cost).toMatchObject(money);
      const sum = sumMoney(rows.flatMap((row) => (row.kind === "dispatch" ? [row.cost] : [])));
      expect(sum.counted).toBeCloseTo(money.counted, 6);
      expect({ ...sum, ...AMOUNTS }).toEqual({ ...money, ...AMOUNTS });
      expect(head.cost.counted).toBeCloseTo(head.cost.known + head.cost.assumed + head.cost.reserved, 6);
    }
  }
});

/** Sums in another order differ in their last digit. */
const AMOUNTS = { known: 0, assumed: 0, reserved: 0, counted: 0 };

test.each(recorded)("$file is green only if its end is done and no gate is missed", ({ records }) => {
  const { head, rows } = buildRunPage(records, NO_LIVE_STATE);
  const standing = new Map(rows.flatMap((row) => (row.kind === "gate" ? [[row.gate, row.state] as const] : [])));
  const missed = [...standing.values()].filter((state) => state === "missed").length;
  expect(head.counts.gatesMissed).toBe(missed);
  expect(head.state === "done").toBe(head.status === "done" && head.exit === 0 && missed === 0);
});

test.each(recorded)("every row of $file has its own id, and a person who only answered is not green", ({ records }) => {
  const { rows } = buildRunPage(records, NO_LIVE_STATE);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const green = rows.filter(({ state }) => state === "passed" || state === "done");
  expect(green.map(({ kind }) => kind)).not.toContain("dispatch");
  expect(rows.filter(isUnderWay)).toEqual([]);
});

const isUnderWay = ({ state }: PageRow): boolean => ["running", "stale", "waiting", "retrying"].includes(state);

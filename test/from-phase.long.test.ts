import { expect, test } from "vitest";
import { listArrivals } from "../src/core/journal/arrivals.ts";
import type { JournalRecord } from "../src/core/journal/record.ts";
import type { Scenario } from "./support/answers/scenario.ts";
import { scenarios } from "./support/answers.ts";
import { finishedOf, toEnd } from "./support/played.ts";
import { type Stage, stage } from "./support/stage.ts";

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  "[A-33] a run forked from any phase of an earlier one ends the same: %s",
  async (_name, scenario) => {
    const first = await openStage(scenario);
    await driveToEnd(first, scenario);
    const records = await first.records();
    for (const { phase, arrival, index } of listVisits(records)) {
      const again = await openStage(scenario, { host: first.host, from: { records, phase, arrival } });
      const end = await driveToEnd(again, scenario);
      const all = await again.records();
      expect({ phase, arrival, ...end, reason: finishedOf(all)?.reason }).toEqual({
        phase,
        arrival,
        status: scenario.expect.status,
        exit: scenario.expect.exit,
        reason: finishedOf(records)?.reason,
      });
      expect(listDispatches(all)).toEqual(listDispatches(records));
      expect(countOwnDispatches(all)).toBe(countDispatchesFrom(records, index));
    }
  },
);

type EarlierRun = {
  readonly host: Stage["host"];
  readonly from: { records: readonly JournalRecord[]; phase: string; arrival?: number | undefined };
};

const openStage = ({ pipeline, perform, input, approvals, commands }: Scenario, past?: EarlierRun): Promise<Stage> =>
  stage({
    pipeline,
    perform,
    order: { input, approvals, commands: [...commands], ...(past ? { from: past.from } : {}) },
    ...(past ? { host: past.host } : {}),
  });

const driveToEnd = (s: Stage, { answer }: Scenario) => toEnd(s, { answer });

const listPhases = (records: readonly JournalRecord[]): readonly string[] => [
  ...new Set(
    records.flatMap((each) => (each.type === "step.started" && each.phase !== "Preflight" ? [each.phase] : [])),
  ),
];

/** Lists all visits to phases. The last visit to a phase has no number. */
const listVisits = (records: readonly JournalRecord[]) =>
  listPhases(records).flatMap((phase) =>
    listArrivals(records, phase).map(({ number, index }, _at, { length }) => ({
      phase,
      index,
      arrival: number === length ? undefined : number,
    })),
  );

test("a run cannot fork from a visit to a phase that the earlier run never made", async () => {
  const scenario = scenarios.find(({ name }) => name.startsWith("ticket: two groups"));
  if (!scenario) throw new Error("there is no such scenario");
  const first = await openStage(scenario);
  await driveToEnd(first, scenario);
  const records = await first.records();
  const from = { records, phase: "Git gate", arrival: 9 };
  await expect(openStage(scenario, { host: first.host, from })).rejects.toMatchObject({
    message: expect.stringMatching(/reached the phase "Git gate" only (once|\d+ times)/),
    hint: expect.stringContaining(`${first.run}:Git gate#1`),
  });
});

/** Lists the keys of all dispatches, reused or repeated. */
const listDispatches = (records: readonly JournalRecord[]): readonly string[] =>
  records.flatMap((each) => (each.type === "agent.started" ? [each.key] : [])).sort();

/** Dispatches made by this run itself. */
function countOwnDispatches(records: readonly JournalRecord[]): number {
  const began = records.findIndex(({ type }) => type === "engine.started");
  return records.slice(began).filter(({ type }) => type === "agent.started").length;
}

/** Dispatches of the earlier run made in this phase or a later one. */
function countDispatchesFrom(records: readonly JournalRecord[], index: number): number {
  return records.slice(index).filter(({ type }) => type === "agent.started").length;
}

test("a fork with a different input is refused for the input, not as a code change", async () => {
  const scenario = scenarios.find(({ name }) => name.startsWith("ticket: two groups"));
  if (!scenario) throw new Error("there is no such scenario");
  const first = await openStage(scenario);
  await driveToEnd(first, scenario);
  const from = { records: await first.records(), phase: "Git gate" };
  const other = { ...scenario, input: { request: "ABC-12: Add four small modules to the greeter." } };
  const again = await openStage(other, { host: first.host, from });
  await expect(again.drive()).rejects.toMatchObject({
    code: "STEP_CHANGED",
    message: expect.stringContaining(`took over the steps of ${first.run} before "Git gate"`),
    hint: expect.stringContaining("Use the same"),
  });
});

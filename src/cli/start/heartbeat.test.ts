import { expect, test } from "vitest";
import { createHeartbeat, formatHeartbeat, type ScheduleCall } from "./heartbeat.ts";

/** A clock that the test advances. */
function clock() {
  const due: { at: number; call: () => void }[] = [];
  let now = 0;
  const later: ScheduleCall = (ms, call) => {
    const entry = { at: now + ms, call };
    due.push(entry);
    return () => void due.splice(due.indexOf(entry), due.includes(entry) ? 1 : 0);
  };
  const turn = (ms: number): void => {
    now += ms;
    for (const entry of due.filter(({ at }) => at <= now)) {
      due.splice(due.indexOf(entry), 1);
      entry.call();
    }
  };
  return { later, turn };
}

test("the heartbeat fires after each minute without other output", () => {
  const { later, turn } = clock();
  const beats: string[] = [];
  const heart = createHeartbeat({ later, beat: () => beats.push("beat") });
  turn(50_000);
  heart.spoke();
  turn(50_000);
  expect(beats).toHaveLength(0);
  turn(10_000);
  turn(60_000);
  expect(beats).toHaveLength(2);
  heart.close();
  turn(600_000);
  expect(beats).toHaveLength(2);
});

test("the heartbeat text names the agents with their running times", () => {
  const agent = (role: string, startedAt: number, task?: string) => {
    return { role, instance: "", ...(task === undefined ? {} : { task }), attempt: 1, startedAt, effect: "" };
  };
  expect(formatHeartbeat([agent("implementer", 0, "T1"), agent("reviewer", 120_000)], 182_000)).toBe(
    "… implementer T1 running for 3m 02s, reviewer for 1m 02s",
  );
  expect(formatHeartbeat([], 0)).toBeUndefined();
});

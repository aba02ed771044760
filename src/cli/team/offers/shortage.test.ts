import { expect, test } from "vitest";
import { formatTimeWithSeconds } from "../../../surfaces/terminal/duration.ts";
import { describeWait, findShortages, formatShortage } from "./shortage.ts";

const RUN = { kind: "run", needs: ["pipeline:task@0123456789ab", "gpu"], worker: null } as const;
const AGENT = { kind: "effect", needs: ["agent:codex"], worker: null } as const;
const worker = (machine: string, ...labels: string[]) => ({
  machine,
  process: "82073146aa",
  labels,
  repo: "here",
});

test("an offered or running task is no shortage", () => {
  const offering = [worker("a"), worker("b", ...RUN.needs)];
  expect(findShortages({ tasks: [RUN], workers: offering, repo: "here" })).toEqual([]);
  expect(findShortages({ tasks: [{ ...RUN, worker: "a" }], workers: [], repo: "here" })).toEqual([]);
});

test("a worker of another repository offers nothing here", () => {
  const elsewhere = { ...worker("b", ...RUN.needs), repo: "there" };
  const [shortage] = findShortages({ tasks: [RUN], workers: [elsewhere], repo: "here" });
  expect(shortage && formatShortage(shortage)).toBe(
    "no worker for this repository is running; the run needs pipeline task in version 0123456789ab and gpu",
  );
});

test("the text names what the best matching worker lacks, and what each worker lacks", () => {
  const workers = [worker("a"), worker("b", RUN.needs[0])];
  const [shortage] = findShortages({ tasks: [RUN], workers, repo: "here" });
  expect(shortage && formatShortage(shortage)).toBe(
    "the run needs gpu, which no worker offers; workers: a/82073146 (without pipeline task in version 0123456789ab and gpu), b/82073146 (without gpu)",
  );
});

test("an agent that no worker offers is named", () => {
  const [shortage] = findShortages({ tasks: [AGENT], workers: [worker("a", "agent:claude")], repo: "here" });
  expect(shortage && formatShortage(shortage)).toBe(
    "an agent of the run needs agent:codex, which no worker offers; workers: a/82073146 (without agent:codex)",
  );
});

test("a worker is named by its machine and process", () => {
  const workers = ["0f1e2d3c4b5a", "a1b2c3d4e5f6"].map((process) => ({ ...worker("a"), process }));
  const [shortage] = findShortages({ tasks: [AGENT], workers, repo: "here" });
  expect(shortage && formatShortage(shortage)).toContain(
    "a/0f1e2d3c (without agent:codex), a/a1b2c3d4 (without agent:codex)",
  );
});

const NOW = 1_000_000;
const at = (ms: number) => formatTimeWithSeconds(ms, NOW);
/** Creates a holder last heard that long ago, with a lease of 15 s. */
const holder = (silentMs: number, dead = false) => {
  const heard = NOW - silentMs;
  return {
    id: "w-1",
    machine: "build-1",
    process: "0f1e2d3c4b",
    of: "run",
    heard,
    until: heard + 15_000,
    dead,
  } as const;
};
const held = { ...RUN, worker: "w-1" };
const able = worker("build-2", ...RUN.needs);
const standing = { tasks: [held], workers: [able], repo: "here", now: NOW };

test("a worker with a current heartbeat is not reported", () => {
  expect(describeWait({ ...standing, holders: [holder(6_000)] })).toBeUndefined();
});

test("a silent worker is named with the time of the takeover", () => {
  expect(describeWait({ ...standing, holders: [holder(11_000)] })).toBe(
    `build-1/0f1e2d3c, which drives it, sent its last heartbeat at ${at(NOW - 11_000)}, 11.0s ago; another worker takes over by ${at(NOW + 9_000)} unless it recovers`,
  );
});

test("a lapsed worker is reported with its last heartbeat and the takeover", () => {
  expect(describeWait({ ...standing, holders: [holder(16_000)] })).toBe(
    `build-1/0f1e2d3c, which drove it, sent its last heartbeat at ${at(NOW - 16_000)}, 16.0s ago; another worker takes over by ${at(NOW + 4_000)}`,
  );
  const attempt = { ...standing, holders: [{ ...holder(25_000), of: "effect" as const }] };
  expect(describeWait(attempt)).toContain("build-1/0f1e2d3c, which had an agent of it, sent its last heartbeat");
  expect(describeWait(attempt)).toMatch(/another worker takes over shortly$/);
});

test("a shortage is reported if no worker can take over", () => {
  expect(describeWait({ ...standing, workers: [], holders: [holder(60_000)] })).toMatch(
    /^build-1\/0f1e2d3c, which drove it, .*; no worker for this repository is running; the run needs pipeline task/,
  );
});

test("a run of a dead worker waits for a worker with a free slot", () => {
  expect(describeWait({ ...standing, tasks: [RUN], holders: [holder(40_000, true)] })).toMatch(
    /^build-1\/0f1e2d3c, which drove it, .*, 40.0s ago; it waits for a worker with a free slot$/,
  );
});

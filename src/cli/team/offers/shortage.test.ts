import { expect, test } from "vitest";
import { momentOfDay } from "../../../surfaces/terminal/duration.ts";
import { shortagesOf, shortageText, waitText } from "./shortage.ts";

const RUN = { kind: "run", needs: ["pipeline:task@0123456789ab", "gpu"], worker: null } as const;
const AGENT = { kind: "effect", needs: ["agent:codex"], worker: null } as const;
const worker = (machine: string, ...labels: string[]) => ({
  machine,
  process: "82073146aa",
  labels,
  repo: "here",
});

test("what a worker offers is no shortage, and neither is what somebody has taken", () => {
  const offering = [worker("a"), worker("b", ...RUN.needs)];
  expect(shortagesOf({ tasks: [RUN], workers: offering, repo: "here" })).toEqual([]);
  expect(shortagesOf({ tasks: [{ ...RUN, worker: "a" }], workers: [], repo: "here" })).toEqual([]);
});

test("a worker of another repository offers nothing here", () => {
  const elsewhere = { ...worker("b", ...RUN.needs), repo: "there" };
  const [shortage] = shortagesOf({ tasks: [RUN], workers: [elsewhere], repo: "here" });
  expect(shortage && shortageText(shortage)).toBe(
    "no worker of this repository is there; the run needs the pipeline task in this version (0123456789ab) and gpu",
  );
});

test("the text names what the nearest worker lacks, and what each of them does", () => {
  const workers = [worker("a"), worker("b", RUN.needs[0])];
  const [shortage] = shortagesOf({ tasks: [RUN], workers, repo: "here" });
  expect(shortage && shortageText(shortage)).toBe(
    "the run needs gpu, which no worker offers; there are a/82073146 (without the pipeline task in this version (0123456789ab) and gpu), b/82073146 (without gpu)",
  );
});

test("an agent that nobody has is named", () => {
  const [shortage] = shortagesOf({ tasks: [AGENT], workers: [worker("a", "agent:claude")], repo: "here" });
  expect(shortage && shortageText(shortage)).toBe(
    "an agent of the run needs agent:codex, which no worker offers; there are a/82073146 (without agent:codex)",
  );
});

test("a worker has one name, by its machine and its process", () => {
  const workers = ["0f1e2d3c4b5a", "a1b2c3d4e5f6"].map((process) => ({ ...worker("a"), process }));
  const [shortage] = shortagesOf({ tasks: [AGENT], workers, repo: "here" });
  expect(shortage && shortageText(shortage)).toContain(
    "a/0f1e2d3c (without agent:codex), a/a1b2c3d4 (without agent:codex)",
  );
});

const NOW = 1_000_000;
const at = (ms: number) => momentOfDay(ms, NOW);
/** Last heard so long ago, with a lease of 15 s. */
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

test("a worker that is heard is nothing to tell", () => {
  expect(waitText({ ...standing, holders: [holder(6_000)] })).toBeUndefined();
});

test("one that is silent is named, with when another one would take over", () => {
  expect(waitText({ ...standing, holders: [holder(11_000)] })).toBe(
    `build-1/0f1e2d3c, which drives it, was last heard at ${at(NOW - 11_000)}, 11.0s ago; unless it is, another worker takes over by ${at(NOW + 9_000)}`,
  );
});

test("of one whose heartbeat ended it is told when, and when another one takes over", () => {
  expect(waitText({ ...standing, holders: [holder(16_000)] })).toBe(
    `build-1/0f1e2d3c, which drove it, was last heard at ${at(NOW - 16_000)}, 16.0s ago; another worker takes over by ${at(NOW + 4_000)}`,
  );
  const attempt = { ...standing, holders: [{ ...holder(25_000), of: "effect" as const }] };
  expect(waitText(attempt)).toContain("build-1/0f1e2d3c, which had an agent of it, was last heard");
  expect(waitText(attempt)).toMatch(/another worker takes over in a moment$/);
});

test("where nobody can take over, what is missing is said instead", () => {
  expect(waitText({ ...standing, workers: [], holders: [holder(60_000)] })).toMatch(
    /^build-1\/0f1e2d3c, which drove it, .*; no worker of this repository is there; the run needs the pipeline task/,
  );
});

test("after its death was declared the run waits for a worker with room", () => {
  expect(waitText({ ...standing, tasks: [RUN], holders: [holder(40_000, true)] })).toMatch(
    /^build-1\/0f1e2d3c, which drove it, .*, 40.0s ago; it waits for a worker with room$/,
  );
});

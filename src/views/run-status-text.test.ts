import { expect, test } from "vitest";
import type { JournalRecord } from "../core/journal/record.ts";
import { describeStatus } from "./run-status-text.ts";
import { foldRunView } from "./run-view.ts";

const NOBODY = { owned: false, answered: new Set<string>() };
/** The fields that the text reads. */
const record = (fields: object): JournalRecord => ({ v: 1, run: "r1", ...fields }) as unknown as JournalRecord;

test("a run that is out of time is offered more time than it has used, in whole minutes", () => {
  const records = [
    record({ type: "run.started", ts: 0, limits: { timeMs: 60_000 }, phases: [] }),
    record({ type: "engine.started", ts: 0 }),
    record({ type: "run.suspended", ts: 147_000, status: "time", reason: "this run has worked 147 s of 60 s" }),
  ];
  expect(describeStatus(foldRunView(records), NOBODY).next).toEqual(["signalbox resume r1 --max-time 4m"]);
});

test("a run suspended for the git remote says so, since when, and how to continue", () => {
  const reason = "Could not reach the git remote host/a/b: it stalled for a minute and was ended";
  const records = [
    record({ type: "run.started", ts: 0, limits: {}, phases: [] }),
    record({ type: "engine.started", ts: 0 }),
    record({ type: "run.suspended", ts: 147_000, status: "interrupted", reason, code: "REMOTE_UNREACHABLE" }),
  ];
  expect(describeStatus(foldRunView(records), NOBODY)).toEqual({
    status: "interrupted",
    because: `waiting for the git remote since 1970-01-01 00:02 UTC. Run \`signalbox resume r1\` when the remote is reachable: ${reason}`,
    next: ["signalbox resume r1"],
  });
});

test("an engine without a final record mentions a full disk as a possible reason", () => {
  const { status, because } = describeStatus(foldRunView([]), { owned: false, answered: new Set() });
  expect(status).toBe("stopped");
  expect(because).toContain("ended without a final record");
  expect(because).toContain("df -h .");
});

test("a command that starts a run again names the agents, if only the command line of this run did", () => {
  const ended = record({
    type: "run.finished",
    ts: 1,
    status: "blocked",
    reason: "item 1 is blocked",
    next: ["set item 1 back to ready", "signalbox run roadmap"],
  });
  const view = foldRunView([record({ type: "run.started", ts: 0, limits: {}, phases: [] }), ended]);
  const startedWith = ["--agents /tmp/agents.json", '--agent "*=codex"'];
  expect(describeStatus(view, NOBODY).next).toEqual(["set item 1 back to ready", "signalbox run roadmap"]);
  expect(describeStatus(view, { ...NOBODY, startedWith }).next).toEqual([
    "set item 1 back to ready",
    'signalbox run roadmap --agents /tmp/agents.json --agent "*=codex"',
  ]);
});

test("a run of a team without a worker says that the next free worker takes it", () => {
  const started = record({ type: "run.started", ts: 0, limits: {}, phases: [] });
  const stopped = { type: "run.suspended", ts: 1, status: "interrupted", reason: "the engine was stopped" };
  for (const records of [[started], [started, record(stopped)]]) {
    const { because, next } = describeStatus(foldRunView(records), { ...NOBODY, shared: true });
    expect(because).toContain("The next free worker picks it up");
    expect(next).toEqual(["signalbox events r1 --follow"]);
  }
  const kept = record({ ...stopped, code: "CHECK_KILLED" });
  expect(describeStatus(foldRunView([started, kept]), { ...NOBODY, shared: true }).next).toEqual([
    "signalbox resume r1",
  ]);
});

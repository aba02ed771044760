import { expect, test } from "vitest";
import { after, audited, baseline, notesOf, type Row, reviewed, row } from "./ledger.suite.ts";

const dispatch = (started_at: string, completed_at: string, values: Row = {}): Row => ({
  run_id: "run-1",
  step: "1",
  agent: "researcher",
  started_at,
  completed_at,
  ts: completed_at,
  ...values,
});

test("run ids with the same day or a similar spelling are reported as one run", () => {
  const ids = [
    "2026-02-27T10:00:00Z",
    "2026-02-27T10-00-00Z",
    "2026-02-27T18:30:00Z",
    "2026-03-01T10:00:00Z",
    "Fix A",
    "fix-a",
  ];
  const notes = notesOf(audited({ checks: ids.map((run_id) => baseline({ run_id })) }), "run-ids");
  expect(notes).toHaveLength(2);
  expect(notes[0]).toMatch(/^3 run ids .*2026-02-27T10-00-00Z/);
  expect(notes[1]).toContain("Fix A, fix-a");
});

test("run ids that occur only in the telemetry are compared too", () => {
  const telemetry = [dispatch("2026-03-01T10:00:01Z", "2026-03-01T10:00:09Z", { run_id: "RUN_1" })];
  expect(notesOf(audited({ checks: [baseline()], telemetry }), "run-ids")).toEqual([expect.stringContaining("RUN_1")]);
});

test("different runs in one ledger are not reported", () => {
  const checks = ["2026-02-27T10:00:00Z", "2026-03-01T10:00:00Z", "other"].map((run_id) => baseline({ run_id }));
  expect(notesOf(audited({ checks }), "run-ids")).toEqual([]);
});

test("unknown phases and checks are reported with their number", () => {
  const checks = [
    row({ phase: "verification" }),
    row({ phase: "verification" }),
    ...reviewed({ check_name: "review-overall" }),
  ];
  const audit = audited({ checks });
  expect(notesOf(audit, "unknown-phase")).toEqual([expect.stringContaining("verification ×2")]);
  expect(notesOf(audit, "check-name")).toEqual([expect.stringContaining("review-overall ×9")]);
  expect(audit.entries.map((entry) => entry.kind)).toEqual(["review"]);
});

test("reviewers named like a model are reported", () => {
  const audit = audited({ checks: reviewed({ instance: "some-model-4" }) });
  expect(notesOf(audit, "review-instance")).toEqual([expect.stringContaining("some-model-4 ×9")]);
});

test("telemetry on whole minutes, without duration or from the future is reported as invented", () => {
  const minutes = ["01", "04", "09"].map((at) =>
    dispatch(`2026-03-01T12:${at}:00Z`, `2026-03-01T12:${at}:00Z`, { ts: "2026-03-01 05:41:25" }),
  );
  expect(notesOf(audited({ telemetry: minutes }), "telemetry-times")).toEqual([
    expect.stringContaining("all 3 telemetry rows start and end on a whole minute"),
    expect.stringContaining("3 of 3 telemetry rows record a dispatch that took no time"),
    expect.stringContaining("3 of 3 telemetry rows were stored before"),
  ]);
  const seconds = ["01", "04", "09"].map((at) =>
    dispatch(`2026-03-01T12:00:${at}.000Z`, `2026-03-01T12:01:${at}.000Z`),
  );
  expect(notesOf(audited({ telemetry: seconds }), "telemetry-times")).toEqual([
    expect.stringContaining("zero fraction"),
  ]);
});

test("telemetry with real times is not reported, also in SQLite's own format", () => {
  const telemetry = [
    dispatch("2026-03-01 12:00:07", "2026-03-01 12:03:41"),
    dispatch("2026-03-01T12:04:02.113Z", "2026-03-01T12:05:00.870Z"),
    dispatch("2026-03-01T14:06:12+02:00", "2026-03-01T14:07:13+02:00", { ts: "2026-03-01 12:07:13" }),
  ];
  expect(notesOf(audited({ checks: [after("build")], telemetry }), "telemetry-times")).toEqual([]);
});

test("telemetry without an end, or with an end before its start, is reported", () => {
  const telemetry = [
    dispatch("2026-03-01T12:04:02Z", "never"),
    dispatch("2026-03-01T12:04:02Z", "2026-03-01T12:04:01Z", { ts: null }),
  ];
  expect(notesOf(audited({ telemetry }), "telemetry-times")).toEqual([
    "1 of 2 telemetry rows lack a readable start or end",
    "1 of 1 telemetry rows end before they start",
  ]);
});

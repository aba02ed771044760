import { describe, expect, test } from "vitest";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { replayJournal } from "../../src/engine/replay/replay.ts";
import { BUILT_IN } from "../../src/pipelines/index.ts";
import { buildReport } from "../../src/surfaces/reports/run-report.ts";
import { PLAIN } from "../../src/surfaces/terminal/paint.ts";
import { formatStatusLines } from "../../src/surfaces/terminal/status-lines.ts";
import { NO_LIVE_STATE } from "../../src/views/page/live-state.ts";
import { buildRunPage } from "../../src/views/page/page-fold.ts";
import { describeStatus } from "../../src/views/run-status-text.ts";
import { foldRunView } from "../../src/views/run-view.ts";
import { histories } from "./history.ts";

const all = histories();
const versions = new Map(
  await Promise.all(Object.entries(BUILT_IN).map(async ([name, load]) => [name, await load()] as const)),
);
const present = all.filter(({ pipeline, version }) => versions.get(pipeline)?.version === version);

test("every built-in pipeline has a history of its current version; `node test/histories/record.ts` records one", () => {
  expect(present.map(({ pipeline }) => pipeline).sort()).toEqual(Object.keys(BUILT_IN).sort());
});

describe.each(present)("$file", ({ pipeline: name, records }) => {
  const pipeline = versions.get(name);

  test("replays to the same end with the current code; changed steps need another version", async () => {
    if (!pipeline) throw new Error(`no pipeline ${name}`);
    const result = await replayJournal({ records, pipeline, world: createRealWorld() });
    expect(result.ok ? "replayed" : result.error.message).toBe("replayed");
  });

  test("does not replay if one of its steps is missing", async () => {
    if (!pipeline) throw new Error(`no pipeline ${name}`);
    const key = records.findLast((record) => record.type === "step.finished")?.key;
    const without = records.filter((record) => !("key" in record) || record.key !== key);
    expect((await replayJournal({ records: without, pipeline, world: createRealWorld() })).ok).toBe(false);
  });
});

test.each(all)("$file is displayed and reported with its recorded end", ({ records }) => {
  const finished = records.findLast((record) => record.type === "run.finished");
  const view = foldRunView(records);
  expect(view.status).toBe(finished?.status);
  expect(buildReport(view, buildRunPage(records, NO_LIVE_STATE)).phases.length).toBeGreaterThan(0);
});

test.each(all)("$file is shown by `status` in words, without raw JSON", ({ records }) => {
  const view = foldRunView(records);
  const standing = describeStatus(view, NO_LIVE_STATE.presence);
  const lines = formatStatusLines(PLAIN, {
    view,
    page: buildRunPage(records, NO_LIVE_STATE),
    standing,
    now: view.lastAt,
  });
  expect(lines.filter((line) => /[[{]"|\[\]|\{\}/.test(line))).toEqual([]);
});

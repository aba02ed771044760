import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseSources } from "../../src/cli/inspect/rule-rows.ts";
import { isSqlRule } from "../../src/core/authoring/rule.ts";
import { readTestReport } from "../../src/core/checks/reports/test-report.ts";
import { findChainDifferences } from "../../src/core/journal/chain-differences.ts";
import { findRowDifferences } from "../../src/core/journal/ledger-difference.ts";
import { createDerivation } from "../../src/core/journal/ledger-rows.ts";
import type { JournalRecord, RecordBody } from "../../src/core/journal/record.ts";
import { createCheckRow, createStep, stampRecords } from "../../src/hosts/suite/facts.ts";
import { BUILT_IN } from "../../src/pipelines/index.ts";
import { RULE_BOOK } from "../../src/pipelines/rule-book.ts";
import { matchAnchor, parseAnchor } from "../../src/surfaces/reports/anchor.ts";
import {
  escapeInline,
  formatCodeBlock,
  formatInlineCode,
  formatReportDuration,
} from "../../src/surfaces/reports/markdown-text.ts";
import { buildReport } from "../../src/surfaces/reports/run-report.ts";
import { NO_LIVE_STATE } from "../../src/views/page/live-state.ts";
import { buildRunPage } from "../../src/views/page/page-fold.ts";
import { foldRunView } from "../../src/views/run-view.ts";
import { makeWitness, SECRET } from "./witness.ts";

describe("report", () => {
  const { scene, run: play } = makeWitness();
  let run = "";
  beforeAll(async () => {
    run = await play("good");
  });

  test("md is the whole run on one page, with no agent text interpreted as markup", async () => {
    const { out, exit } = await scene.signalbox("report", run);
    expect(exit).toBe(0);
    const headings = [...out.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
    expect(headings).toEqual(["Caveats", "Request", "Phases", "Dispatches", "Gates", "Evidence", "Approvals", "Cost"]);
    expect(out).toContain("no check reported a test: test ran, but no test of the code's behaviour was seen");
    expect(out).toMatch(/^# ✓ witness v1: done$/m);
    expect(out).toMatch(/\| 1 Work \| ▪ ended \| [^|]+ \| 3 \| 1 \|/);
    expect(out).toContain("| ✗ W-1 | `0` | `1` | `task=t1 round=1` |");
    expect(out).toContain("- major: W-1: the test must pass after the change (is 0, needs 1)");
    expect(out).toMatch(/\| test \| after \| ✗ regression \| the answer is not 42 \| 1 \|/);
    expect(out).toContain(String.raw`maker (scripted) claims (attempt 2): summary: all tests pass \| `);
    expect(out).toMatch(/\| Keep it\? \| \*\*keep\*\* \| automatic \| \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    expect(out).toMatch(/- orchestration: 0 tokens, \d+ ms/);
    expect(out).not.toContain(SECRET);
    expect(out).not.toContain("\u001b");
  });

  test("json is the same as data, with either flag", async () => {
    const report = JSON.parse((await scene.signalbox("report", "--reporter", "json")).out);
    expect(JSON.parse((await scene.signalbox("report", run.slice(0, -1), "--json")).out)).toEqual(report);
    expect(report).toMatchObject({
      v: 1,
      run,
      status: "done",
      confidence: "medium",
      caveats: ["no check reported a test: test ran, but no test of the code's behaviour was seen"],
      input: { request: "answer the question" },
      phases: [
        { title: "Preflight", dispatches: 0 },
        { title: "1 Work", dispatches: 3, retries: 1 },
        { title: "2 Judge" },
        { title: "3 Commit" },
      ],
      dispatches: [
        { role: "maker", attempts: 2, outcome: "done", failures: [{ class: "transient" }] },
        { attempts: 1 },
      ],
      decisions: [
        { gate: "good enough", passed: false },
        { gate: "good enough", passed: true },
      ],
      approvals: [{ choice: "keep", by: "automatic" }],
      commits: [{ branch: `signalbox/${run}` }],
      spent: { attempts: 3, retries: 1 },
      orchestration: { tokens: 0 },
    });
    expect(JSON.stringify(report)).not.toContain(SECRET);
  });

  test("its numbers equal those of status --json, and the terminal status shows the same", async () => {
    const report = JSON.parse((await scene.signalbox("report", run, "--reporter", "json")).out);
    const status = JSON.parse((await scene.signalbox("status", run, "--json")).out);
    const { attempts: dispatches, usd, usdUnknown, inputTokens, outputTokens } = report.spent;
    expect(status.spent).toMatchObject({ dispatches, usd, usdUnknown, inputTokens, outputTokens });
    expect([status.status, status.exit, status.startedAt]).toEqual([report.status, report.exit, report.startedAt]);
    expect([status.lastAt, status.caveats]).toEqual([report.lastAt, report.caveats]);
    expect(status.commit).toEqual(report.commits.at(-1));
    expect(status.lastGate.rules).toEqual(
      report.decisions.at(-1).rules.map(({ rule, passed, actual, need }: Record<string, unknown>) => {
        return { rule, passed, actual, need };
      }),
    );
    expect((await scene.signalbox("status", run)).out).toContain(`${dispatches} dispatches`);
  });

  test("an unknown reporter is refused with the list of reporters, before a run begins too", async () => {
    for (const command of [["report"], ["run", "witness", "x"], ["resume"]]) {
      const { exit, err } = await scene.signalbox(...command, "--reporter", "pdf");
      expect([exit, err]).toEqual([2, expect.stringContaining("html, md, json, junit, sarif, github")]);
    }
  });

  test("several write to separate files, and github writes annotations and the step summary", async () => {
    const [junit, sarif, summary] = ["j.xml", "deep/s.sarif", "summary.md"].map((file) => join(scene.repo, "..", file));
    const asked = [`junit=${junit}`, `sarif=${sarif}`, "github"].flatMap((each) => ["--reporter", each]);
    writeFileSync(String(summary), "before\n");
    const ended = await scene.from({ env: { GITHUB_STEP_SUMMARY: String(summary) } }, "report", run, ...asked);
    expect([ended.exit, ended.out]).toEqual([0, ""]);
    const said = readFileSync(String(summary), "utf8");
    expect(said).toMatch(/^before\n## ✓ signalbox · witness: done\n/);
    expect(readTestReport(readFileSync(String(junit), "utf8"))).toMatchObject({ failed: 0 });
    expect(JSON.parse(readFileSync(String(sarif), "utf8"))).toMatchObject({ version: "2.1.0" });
  });
});

describe("in a workflow log", () => {
  const { scene } = makeWitness();

  test("no printed line is interpreted as a command by the runner", async () => {
    const agents = scene.put(
      ".git/shouting.yaml",
      'agents:\n  - { role: maker, output: { summary: "::stop-commands::x ##[group]y" } }\n',
    );
    const env = { GITHUB_ACTIONS: "true" };
    const flags = ["--agents", agents, "--approvals", "autonomous"];
    const ran = await scene.from({ env }, "run", "witness", "answer", ...flags);
    const [logged, plain] = [await scene.from({ env }, "evidence"), await scene.signalbox("evidence")];
    expect(plain.out).toContain("##[group]y");
    for (const { out } of [ran, logged]) expect(out).not.toMatch(/^\s*::|##\[/m);
    expect(logged.out).toContain("[group]y");
  });
});

describe("run --reporter", () => {
  const { scene } = makeWitness();
  const flags = ["--agents", join(scene.repo, ".git/stubborn.yaml"), "--approvals", "autonomous", "--json"];

  test("writes at the end, also after a failure, and keeps the event output clean", async () => {
    const junit = join(scene.repo, "../junit.xml");
    const asked = ["--reporter", `junit=${junit}`, "--reporter", "md", "--reporter", "github"];
    const ended = await scene.signalbox("run", "witness", "answer", ...flags, ...asked);
    expect(ended.exit).toBe(1);
    expect(readTestReport(readFileSync(junit, "utf8"))?.failed).toBeGreaterThan(0);
    for (const line of ended.out.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ v: 1 });
    expect(ended.err).toMatch(/^::warning title=W-1::W-1: /m);
    const kept = join(scene.repo, ".signalbox/runs", String(ended.events[0]?.["run"]), "reports");
    expect(readdirSync(kept).sort()).toEqual(["report.md", "summary.md"]);
    expect(readFileSync(join(kept, "report.md"), "utf8")).toMatch(/^# ✗ witness v1: error$/m);
  });

  test("that cannot be written is reported, and the run's result does not change", async () => {
    const { exit, err } = await scene.signalbox(
      "run",
      "witness",
      "answer",
      ...flags,
      "--reporter",
      "md=/proc/no/report",
    );
    expect([exit, err]).toEqual([1, expect.stringContaining("could not be written to /proc/no/report")]);
  });

  test("is accepted by resume as well", async () => {
    const paused = await scene.signalbox("run", "witness", "answer", ...flags, "--max-dispatches", "1");
    expect(paused.exit).toBe(5);
    const sarif = join(scene.repo, "../resumed.sarif");
    await scene.signalbox("resume", "--max-dispatches", "9", "--reporter", `sarif=${sarif}`);
    expect(JSON.parse(readFileSync(sarif, "utf8")).runs[0].invocations).toMatchObject([{ exitCode: 1 }]);
  });
});

describe("markdown text", () => {
  test("is literal, whoever wrote it", () => {
    expect(escapeInline("a | b\n# c <img src=x> [d](javascript:1) `e` \u202e\u001b[31mf")).toBe(
      String.raw`a \| b \# c \<img src=x\> \[d\](javascript:1) \`e\` f`,
    );
    expect(escapeInline("x".repeat(400))).toHaveLength(300);
    expect(escapeInline("thanks @somebody")).not.toContain("@somebody");
  });

  test("cannot close code spans or blocks from inside", () => {
    expect(formatInlineCode("a `b` ``c``")).toBe("``` a `b` ``c`` ```");
    expect(formatCodeBlock("x\n```\ny").at(0)).toBe("````");
  });

  test("durations are formatted in readable units", () => {
    expect([0, 840, 12_400, 128_000, 3_840_000].map(formatReportDuration)).toEqual([
      "0 ms",
      "840 ms",
      "12.4 s",
      "2 min 08 s",
      "1 h 04 min",
    ]);
  });
});

describe("the hash chain", () => {
  const hash = (before: string, record: { seq: number; type: string }) => `${before}+${record.seq}${record.type}`;
  const records = createJournal(
    { type: "run.resumed", by: "a" },
    { type: "run.resumed", by: "b" },
    { type: "run.resumed", by: "c" },
  );
  let chain = "";
  const chainedRecords = records.map((record) => {
    chain = hash(chain, record);
    return { ...record, chain };
  });

  test("one changed hash is reported for that record and the next one only", () => {
    expect(findChainDifferences(chainedRecords, hash)).toEqual([]);
    const changed = chainedRecords.map((record) => (record.seq === 2 ? { ...record, chain: "other" } : record));
    expect(findChainDifferences(changed, hash).map((each) => each.seq)).toEqual([2, 3]);
  });

  test("an anchor is parsed with or without its number, and matches only the record with its hash", () => {
    const head = "a".repeat(64);
    const [first, ...rest] = chainedRecords;
    const anchored = [{ ...first, chain: head } as JournalRecord, ...rest];
    expect(parseAnchor("x", `1:${head}`)).toEqual({ place: "x", seq: 1, chain: head });
    expect(parseAnchor("x", "no hash")).toBeUndefined();
    expect(matchAnchor({ place: "x", chain: head }, anchored)).toEqual({ seq: 1 });
    expect(matchAnchor({ place: "x", chain: head, seq: 2 }, anchored)).toMatchObject({ where: "anchor", seq: 2 });
    expect(matchAnchor({ place: "x", chain: head, seq: 9 }, anchored)).toMatchObject({
      message: expect.stringContaining("no such record"),
    });
  });
});

test("a second result of the same check is no difference: the ledger keeps the first", () => {
  const derived = createDerivation().take(
    stampRecords("r", 1, [createStep(1, [createCheckRow()]), createStep(2, [createCheckRow({ passed: 0 })])]),
  );
  expect(derived).toHaveLength(1);
  expect([
    ...findRowDifferences(
      derived,
      derived.map((row) => ({ ...row, id: 1 })),
    ),
  ]).toEqual([]);
  expect([...findRowDifferences(derived, [])]).toMatchObject([{ seq: 1 }]);
});

test("a phase that is visited twice counts its stretches once each", () => {
  const createStepRecord = (key: string, ts: number): RecordBody & { ts: number } => {
    return { type: "step.started", key, verb: "agent", phase: "1", scope: "", n: 0, print: "", ts };
  };
  const end = (key: string, ts: number): RecordBody & { ts: number } => ({ type: "step.finished", key, ts });
  const records = createJournal(
    createStepRecord("a", 0),
    createStepRecord("b", 50),
    end("a", 100),
    end("b", 120),
    createStepRecord("c", 1_000),
    end("c", 1_030),
  );
  expect(buildReport(foldRunView(records), buildRunPage(records, NO_LIVE_STATE)).phases).toMatchObject([
    { title: "1", state: "done", ms: 150 },
  ]);
});

describe("rules", () => {
  test("every built-in pipeline has its rules in the rule book", () => {
    expect(Object.keys(RULE_BOOK).sort()).toEqual(Object.keys(BUILT_IN).sort());
    for (const [name, rules] of Object.entries(RULE_BOOK)) expect([name, rules.length]).not.toEqual([name, 0]);
  });

  test("the source tables of every ledger rule can be parsed from its SQL", () => {
    const sql = Object.values(RULE_BOOK).flat().filter(isSqlRule);
    expect(sql.length).toBeGreaterThan(5);
    for (const rule of sql) expect([rule.id, parseSources(rule.sql).length]).not.toEqual([rule.id, 0]);
    const [source] = parseSources(
      "SELECT 1 FROM (SELECT a.x FROM anvil_checks a WHERE a.y IN (1, ')') GROUP BY a.x) AS z",
    );
    expect(source).toEqual({ table: "anvil_checks", alias: "a", where: "a.y IN (1, ')')" });
  });
});

function createJournal(...facts: readonly (RecordBody & { ts?: number })[]): JournalRecord[] {
  return facts.map((fact, index) => {
    // A fact with these fields is a record.
    return { v: 1, seq: index + 1, ts: index, run: "r", chain: "", ...fact } as JournalRecord;
  });
}

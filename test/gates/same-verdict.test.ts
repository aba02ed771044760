import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgeRule, type RuleJudgement } from "../../src/core/authoring/judge-rule.ts";
import { isSqlRule, listParameters, type SqlRule } from "../../src/core/authoring/rule.ts";
import type { LedgerRow } from "../../src/core/journal/ledger.ts";
import type { Host } from "../../src/core/ports/host.ts";
import { createDbosHost } from "../../src/hosts/dbos/host.ts";
import { createSqliteHost } from "../../src/hosts/sqlite/host.ts";
import { createStep, stampRecords } from "../../src/hosts/suite/facts.ts";
import { createHeldWorld } from "../../src/hosts/suite/held-world.ts";
import { RULE_BOOK } from "../../src/pipelines/rule-book.ts";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { type Asked, type Ledger, randomLedger, reviewRows } from "./random-ledger.ts";

const LEDGERS = 60;
const MOST_MS = 12_000;
const RULES = Object.values(RULE_BOOK).flatMap((rules) => rules.filter(isSqlRule));

let server: TestPostgres;
let hosts: readonly Host[];
beforeAll(async () => {
  server = await startPostgres();
  const world = createHeldWorld();
  const distributed = await createDbosHost({ url: await server.team("gates"), world });
  hosts = [createSqliteHost({ file: ":memory:", world }), distributed];
});
afterAll(async () => {
  for (const host of hosts) await host.close();
  await server.stop();
});

test("every SQL rule of every pipeline gives the same number and the same verdict on both databases", async () => {
  const seen = new Map(RULES.map((rule) => [rule, new Set<boolean>()]));
  const property = fc.asyncProperty(randomLedger, async (ledger) => {
    runs += 1;
    const [embedded, distributed] = await Promise.all(hosts.map((host) => judgedOn(host, `run-${runs}`, ledger)));
    expect(distributed).toEqual(embedded);
    for (const [at, rule] of RULES.entries()) {
      const judgement = embedded?.judgements[at];
      if (judgement) seen.get(rule)?.add(judgement.passed);
    }
  });
  await fc.assert(property, {
    numRuns: LEDGERS,
    examples: [[PASSING], [FAILING], [ODD]],
    interruptAfterTimeLimit: MOST_MS,
  });
  expect(RULES.filter((rule) => seen.get(rule)?.size !== 2).map(({ id }) => id)).toEqual([]);
});

type Judged = {
  /** Which records were stored: a row that breaks a constraint takes its whole record with it. */
  readonly stored: readonly boolean[];
  readonly judgements: readonly RuleJudgement[];
};

let runs = 0;

async function judgedOn(host: Host, id: string, { records, others, about }: Ledger): Promise<Judged> {
  const [run, other] = [await newRun(host, id), await newRun(host, `${id}-b`)];
  const stored: boolean[] = [];
  for (const rows of records) stored.push(await run.store(rows));
  stored.push(await other.store(others));
  const judgements: RuleJudgement[] = [];
  for (const rule of RULES) {
    const params = parametersFor(rule, run.id, about);
    judgements.push(await judgeRule(rule, { about, params, ask: host.ledger.ask }));
  }
  return { stored, judgements };
}

async function newRun(host: Host, id: string) {
  await host.runs.create({ id, pipeline: "ledger", repo: "/repo" });
  const result = await host.runs.claim(id, "the test");
  if (!result.won) throw new Error(`${result.owner} has ${id}`);
  let next = 1;
  return {
    id,
    async store(rows: readonly LedgerRow[]): Promise<boolean> {
      try {
        await host.journal.append(result.lease, stampRecords(id, next, [createStep(next, rows)]));
        next += 1;
        return true;
      } catch {
        return false;
      }
    },
  };
}

function parametersFor(rule: SqlRule, run: string, about: Asked): Record<string, string | number> {
  const all: Readonly<Record<string, string | number>> = { run, ...about };
  return Object.fromEntries(listParameters(rule).map((name) => [name, all[name] ?? ""]));
}

const ABOUT = { task: "task-1", round: 1, scope: "code", need: 2, baselines: 1, green: 1, dispatches: 1 };
const OF_TASK = { task_id: "task-1", round: 1, scope: "code", tree: "" };
const checkOf = (phase: string, name: string, round: number): LedgerRow => ({
  table: "anvil_checks",
  values: { task_id: "task-1", phase, check_name: name, passed: 1, round },
});
const telemetryOf = (status: string, retries: number): LedgerRow => ({
  table: "pipeline_telemetry",
  values: { step: "1", agent: "reviewer", started_at: "", status, retry_count: retries },
});

/** So that each rule is seen to say yes and to say no, whatever chance brings. */
const PASSING: Ledger = {
  records: [
    reviewRows(OF_TASK, Array<string>(9).fill("approve")),
    [checkOf("baseline", "tests", 0), checkOf("after", "tests", 1), checkOf("after", "build", 1)],
    [telemetryOf("DONE", 0)],
  ],
  others: [],
  about: ABOUT,
};
const FAILING: Ledger = {
  records: [
    reviewRows(OF_TASK, ["blocker", "needs_revision"]).slice(0, 2),
    reviewRows(OF_TASK, ["approve", "approve", "approve", "needs_revision"]).slice(3, 4),
    [telemetryOf("ERROR", 2), telemetryOf("DONE", 0)],
  ],
  others: [],
  about: ABOUT,
};
/** Kept in another form than it was given in: whoever asks by the name that was given must find it all the same. */
const ODD: Ledger = {
  records: [reviewRows({ ...OF_TASK, task_id: "a\u0000b" }, ["blocker"])],
  others: [],
  about: { ...ABOUT, task: "a\u0000b" },
};

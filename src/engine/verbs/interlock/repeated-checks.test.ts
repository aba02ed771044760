import { expect, test } from "vitest";
import { z } from "zod";
import { pipe } from "../../../../test/support/pipe.ts";
import { type Said, toEnd } from "../../../../test/support/played.ts";
import { BASE_TREE, done, quickWorld, stage, world } from "../../../../test/support/stage.ts";
import { defineRole } from "../../../core/authoring/role.ts";
import type { Evidence } from "../../../core/authoring/verbs.ts";
import type { AttemptRequest } from "../../../core/journal/effect.ts";
import type { Host } from "../../../core/ports/host.ts";
import { createMemoryHost } from "../../../hosts/memory/host.ts";
import { createMemoryStore } from "../../../hosts/memory/store.ts";
import { CHAIN_START, hashChain } from "../../drive/recorder.ts";

const worker = defineRole({ name: "worker", does: "works", contract: z.object({}).loose() });
const base = { tree: BASE_TREE };
const AFTER = { tree: "after" };
const SAYS_AGAIN = { choice: "run the checks again", note: "the clock test again" };

type Setting = {
  readonly answers?: readonly Said[];
  readonly approvals?: "interactive" | "autonomous";
  /** How the command ends on the changed tree the n-th time it runs there. */
  readonly exit: (time: number) => number;
  readonly looks?: number;
  readonly host?: Host;
  /** An agent works after each look. */
  readonly works?: boolean;
};

/** Work that comes back as it was: one tree, looked at several times. */
async function lookedAt({ answers = [], approvals = "interactive", exit, looks = 2, host, works }: Setting) {
  const seen: Evidence[] = [];
  const ran: string[] = [];
  const sent: AttemptRequest[] = [];
  const rest = world((request) => {
    sent.push(request);
    return done({});
  });
  const s = await stage({
    pipeline: pipe(async ({ phase, check, agent }) => {
      phase("1 Work");
      seen.length = 0;
      for (let look = 1; look <= looks; look += 1) {
        seen.push(await check(AFTER, { task: "a", baseline: base }));
        if (works) await agent(worker, {});
      }
      return { status: "done" };
    }),
    ...(host ? { host } : {}),
    order: { approvals, commands: [{ name: "test", run: "make test" }] },
    perform: (effect, signal) => {
      if (effect.kind !== "check") return rest(effect, signal);
      const { tree, commands, inspect } = effect.request;
      if (inspect) return [];
      ran.push(tree);
      const exitCode = tree === AFTER.tree ? exit(ran.filter((each) => each === tree).length) : 0;
      return commands.map(({ name, run }) => ({ name, command: run, exitCode, ms: 1, digest: "d", snippet: "said" }));
    },
  });
  const end = await toEnd(s, { answers });
  const records = await s.records();
  const questions = records.filter((record) => record.type === "approval.requested");
  const runs = ran.filter((tree) => tree === AFTER.tree).length;
  return { end, seen, runs, questions, records, sent };
}

test("what was red on a tree is asked about when it comes back as it was, and waits for a person", async () => {
  const { end, runs, questions } = await lookedAt({ exit: () => 1 });
  expect(end.status).toBe("waiting");
  expect(runs).toBe(2);
  expect(questions[0]).toMatchObject({
    title: "The agent returned the same files on which test failed before: run test again?",
    show: { found: [{ message: "test passed on the baseline and fails now" }] },
    choices: ["run the checks again", "send the work back"],
    leads: {
      "run the checks again": expect.stringContaining("a pass counts as flaky"),
      "send the work back": expect.stringContaining("the failure of test stands"),
    },
    revises: "send the work back",
  });
});

test("[A-24] a pass after a person's word is flaky, never green, and says who had it run again", async () => {
  const { seen, runs, records } = await lookedAt({ answers: [SAYS_AGAIN], exit: (time) => (time > 2 ? 0 : 1) });
  expect(runs).toBe(3);
  expect(seen[1]).toMatchObject({
    passed: false,
    checks: [{ outcome: "flaky" }],
    findings: [{ message: expect.stringContaining("is flaky: the same tree gave different results") }],
    again: { by: "Ada: the clock test again", ran: true },
  });
  const rows = records.flatMap((record) => (record.type === "evidence.recorded" ? (record.rows ?? []) : []));
  const after = rows.flatMap(({ values }) => (values["phase"] === "after" ? [values["passed"]] : []));
  expect(after).toEqual([0]);
  const turns = records.flatMap((record) =>
    record.type === "evidence.recorded" && record.tree === AFTER.tree ? [[record.turn, record.exitCode]] : [],
  );
  expect(turns).toEqual([
    [1, 1],
    [2, 1],
    [1, 1],
    [2, 1],
    [3, 0],
  ]);
});

test("what stays red stays a regression, and its tree is asked about again", async () => {
  const { seen, runs, questions } = await lookedAt({ answers: [SAYS_AGAIN, SAYS_AGAIN], exit: () => 1, looks: 3 });
  expect(seen.map(({ checks }) => checks[0]?.outcome)).toEqual(["regression", "regression", "regression"]);
  expect(runs).toBe(4);
  expect(questions).toHaveLength(2);
});

test("what a person leaves red is not asked about again, also by a later engine", async () => {
  const { end, runs, questions } = await lookedAt({ answers: ["send the work back"], exit: () => 1, looks: 3 });
  expect(end.status).toBe("done");
  expect(runs).toBe(2);
  expect(questions).toHaveLength(1);
});

test("without a person nothing runs again and nobody is asked", async () => {
  const { seen, runs, questions } = await lookedAt({ approvals: "autonomous", exit: (time) => (time > 2 ? 0 : 1) });
  expect(seen.map(({ checks }) => checks[0]?.outcome)).toEqual(["regression", "regression"]);
  expect(runs).toBe(2);
  expect(questions).toEqual([]);
});

test("what is green on the same tree is asked about by nobody", async () => {
  const { end, runs, questions } = await lookedAt({ exit: () => 0 });
  expect([end.status, runs, questions.length]).toEqual(["done", 1, 0]);
});

/** A host whose journal holds the question as an earlier version recorded it. */
function hostWithEarlierQuestion(): Host {
  const host = createMemoryHost({ world: quickWorld(), store: createMemoryStore() });
  const earlier = { title: "Run it again?", choices: ["run again", "leave it"], auto: "leave it", hash: "earlier" };
  const append: Host["journal"]["append"] = async (lease, records) => {
    let last = (await host.journal.load(lease.run)).at(-1)?.chain ?? CHAIN_START;
    const rewritten = records.map(({ chain: _chain, ...record }) => {
      const bare = record.type === "approval.requested" ? { ...record, ...earlier } : record;
      last = hashChain(quickWorld(), last, bare);
      return { ...bare, chain: last };
    });
    return host.journal.append(lease, rewritten);
  };
  return { ...host, journal: { ...host.journal, append } };
}

test("a question that an earlier version asked is answered with the choices of that version", async () => {
  const host = hostWithEarlierQuestion();
  const { end, seen, runs } = await lookedAt({ host, answers: ["run again"], exit: (time) => (time > 2 ? 0 : 1) });
  expect([end.status, runs, seen[1]?.again]).toEqual(["done", 3, { by: "Ada", ran: true }]);
});

test("[A-35] the note beside an answer reaches the next dispatch, also through a later engine, until the commit", async () => {
  const note = "Keep the comma in the greeting.";
  const answers = [{ choice: "send the work back", note }];
  const { sent } = await lookedAt({ answers, exit: () => 1, looks: 3, works: true });
  const asked = "The agent returned the same files on which test failed before: run test again?";
  const told = [{ by: "Ada", asked, choice: "send the work back", note }];
  expect(sent.map(({ notes }) => notes)).toEqual([undefined, told, told]);
});

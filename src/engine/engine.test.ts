import { expect, test } from "vitest";
import { z } from "zod";
import { type Body, pipe as small } from "../../test/support/pipe.ts";
import { BASE_TREE, done, failed, quickWorld, stage, world } from "../../test/support/stage.ts";
import type { PipelineSpec } from "../core/authoring/pipeline.ts";
import { once, upTo } from "../core/authoring/retry.ts";
import { defineRole } from "../core/authoring/role.ts";
import { sqlRule, valueRule } from "../core/authoring/rule.ts";
import type { Failure } from "../core/failure/failure.ts";
import type { AttemptRequest } from "../core/journal/effect.ts";
import { createMemoryHost } from "../hosts/memory/host.ts";
import { createMemoryStore } from "../hosts/memory/store.ts";
import { indexHistory } from "./replay/history.ts";
import { readAttemptHistory } from "./verbs/attempt-history.ts";

const worker = defineRole({ name: "worker", does: "works", contract: z.object({ ok: z.boolean() }) });

const pipe = (body: Body, spec: Partial<PipelineSpec<unknown>> = {}) =>
  small(body, { phases: [{ title: "1 Work" }, { title: "2 Rest" }], ...spec });

test("a pipeline runs to its end and its steps are in the journal under path keys", async () => {
  const s = await stage({
    pipeline: pipe(async ({ phase, agent, parallel, loop, gate }) => {
      phase("1 Work");
      await parallel(["a", "b"], () => agent(worker, { n: 1 }));
      await loop({ max: 2 }, async ({ round }) => {
        await agent(worker, { round }, { as: "again" });
        return {
          decision: await gate(
            "enough",
            [
              valueRule<{ round: number }>({
                id: "V",
                because: "two rounds",
                judge: (x) => ({ passed: x.round === 2 }),
              }),
            ],
            { round },
          ),
        };
      });
      return { status: "done" };
    }),
  });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  const keys = (await s.records()).flatMap((record) => (record.type === "step.started" ? [record.key] : []));
  expect(keys.toSorted()).toEqual([
    "1 Work/a/worker",
    "1 Work/b/worker",
    "1 Work/round-1/again",
    "1 Work/round-1/enough",
    "1 Work/round-2/again",
    "1 Work/round-2/enough",
  ]);
});

test("what goes with a run is kept before there is one", async () => {
  const host = createMemoryHost({ world: quickWorld(), store: createMemoryStore() });
  const kept: [string, unknown][] = [];
  const before = async (run: string) => {
    kept.push([run, await host.runs.get(run)]);
    return {};
  };
  const { run } = await stage({ pipeline: pipe(async () => ({ status: "done" })), host, order: { before } });
  expect(kept).toEqual([[run, undefined]]);
  expect(await host.runs.get(run)).toMatchObject({ id: run });
});

test("a resumed run repeats no finished dispatch and gets the same values", async () => {
  let dispatches = 0;
  const seen: unknown[] = [];
  const pipeline = pipe(async ({ phase, agent, ask }) => {
    phase("1 Work");
    const answer = await agent(worker, {});
    seen.push(answer);
    const go = await ask({ title: "Go on?", show: answer, choices: ["yes", "no"], auto: "never" });
    return { status: "done", reason: go.choice };
  });
  const perform = world(() => {
    dispatches += 1;
    return done({ ok: true });
  });
  const s = await stage({ pipeline, perform });
  expect(await s.drive()).toEqual({ status: "waiting", exit: 3 });
  const question = (await s.records()).find((record) => record.type === "approval.requested");
  if (!question) throw new Error("nothing was asked");
  await s.post({ kind: "answer", approval: question.approval, hash: question.hash, choice: "yes", by: "eve" });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(dispatches).toBe(1);
  expect(seen[0]).toEqual(seen[1]);
});

test("a run sees the commit that it began at, also when the checkout has moved before it looks", async () => {
  const pipeline = pipe(async ({ phase, see }) => {
    phase("1 Work");
    return { status: "done", reason: JSON.stringify(await see("head")) };
  });
  const seen = async (commit: string) => {
    const s = await stage({ pipeline, perform: () => ({ commit, tree: "t-now", branch: "main" }) });
    await s.drive();
    const end = (await s.records()).find((record) => record.type === "run.finished");
    return JSON.parse(end?.reason ?? "{}");
  };
  expect(await seen("c0")).toEqual({ commit: "c0", tree: "t-now", branch: "main" });
  expect(await seen("c9")).toEqual({ commit: "c0", tree: BASE_TREE, branch: null, moved: "c9" });
});

test("[A-08] an answer sent before the question is kept, one for other content is not taken", async () => {
  const pipeline = pipe(async ({ phase, ask, see }) => {
    phase("1 Work");
    const head = await see("head");
    const go = await ask({ title: "Go on?", show: head, choices: ["yes", "no"], auto: "never" });
    return { status: "done", reason: go.choice };
  });
  const first = await stage({ pipeline });
  await first.drive();
  const question = (await first.records()).find((record) => record.type === "approval.requested");
  if (!question) throw new Error("nothing was asked");
  await first.post({ kind: "answer", approval: question.approval, hash: "other", choice: "yes", by: "eve" });
  expect(await first.drive()).toEqual({ status: "waiting", exit: 3 });

  const second = await stage({ pipeline, host: first.host });
  const id = `a-${(await import("node:crypto")).createHash("sha256").update(`${second.run}/${question.key}`).digest("hex").slice(0, 8)}`;
  await second.post({ kind: "answer", approval: id, hash: question.hash, choice: "no", by: "eve" });
  expect(await second.drive()).toEqual({ status: "done", exit: 0 });
  expect((await second.records()).findLast((record) => record.type === "run.finished")).toMatchObject({ reason: "no" });
});

test("[A-09] autonomous answers are recorded as automatic, and a question for people waits in every mode", async () => {
  const s = await stage({
    pipeline: pipe(async ({ phase, ask }) => {
      phase("1 Work");
      await ask({ title: "Small?", show: 1, choices: ["yes", "no"], auto: "yes" });
      await ask({ title: "Destroy?", show: 1, choices: ["yes", "no"], auto: "never" });
      return { status: "done" };
    }),
  });
  expect(await s.drive()).toEqual({ status: "waiting", exit: 3 });
  const decided = (await s.records()).filter((record) => record.type === "approval.decided");
  expect(decided).toMatchObject([{ choice: "yes", by: "automatic" }]);
});

test("a failed dispatch is tried again by its policy, and a failure ends the branch", async () => {
  const tries: number[] = [];
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {}, { retry: upTo(2) });
      return { status: "done" };
    }),
    perform: world((request) => {
      tries.push(request.attempt);
      return failed();
    }),
  });
  expect(await s.drive()).toEqual({ status: "error", exit: 1 });
  expect(tries).toEqual([1, 2, 3]);
});

test("a deterministic failure is never tried again, and attempt() hands it back as a value", async () => {
  let tries = 0;
  const s = await stage({
    pipeline: pipe(async ({ phase, attempt }) => {
      phase("1 Work");
      const outcome = await attempt(worker, {}, { retry: once() });
      return { status: "done", reason: outcome.ok ? "ok" : outcome.failure.code };
    }),
    perform: world(() => {
      tries += 1;
      return failed("bad_input", "deterministic");
    }),
  });
  await s.drive();
  expect(tries).toBe(1);
  expect((await s.records()).at(-1)).toMatchObject({ status: "done", reason: "bad_input" });
});

test("parallel continues without failed branches while enough succeed", async () => {
  const s = await stage({
    pipeline: pipe(async ({ phase, parallel, agent }) => {
      phase("1 Work");
      const got = await parallel(["a", "b", "c"], () => agent(worker, {}), { atLeast: 2 });
      return { status: "done", reason: got.map((each) => (each ? "1" : "0")).join("") };
    }),
    perform: world((request) => (request.instance === "b" ? failed() : done({ ok: true }))),
  });
  await s.drive();
  expect((await s.records()).at(-1)).toMatchObject({ status: "done", reason: "101" });
});

test("no more dispatches run at once than the pipeline's cap and the branch's own", async () => {
  let now = 0;
  let most = 0;
  const perform = world(async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    return done({ ok: true });
  });
  const items = Array.from({ length: 12 }, (_, index) => String(index));
  const run = async (cap?: number) => {
    most = 0;
    const s = await stage({
      pipeline: pipe(async ({ phase, parallel, agent }) => {
        phase("1 Work");
        await parallel(items, () => agent(worker, {}), cap === undefined ? {} : { cap });
        return { status: "done" };
      }),
      perform,
    });
    await s.drive();
    return most;
  };
  expect(await run()).toBe(4);
  expect(await run(2)).toBe(2);
});

test("a retried attempt is told its number and what an unusable answer lacked, and the answer what was overcome", async () => {
  const told: AttemptRequest["retry"][] = [];
  const unusable = { class: "contract", code: "contract_invalid", message: "status: missing" } as const;
  const s = await stage({
    pipeline: pipe(async ({ phase, agent, attempt }) => {
      phase("1 Work");
      const { retried } = await agent(worker, {}, { retry: upTo(2) });
      const lost = await attempt(worker, {}, { as: "lost", retry: upTo(1) });
      const codes = (failures: readonly Failure[] = []) => failures.map(({ code }) => code);
      return { status: "done", report: { retried: codes(retried), lost: codes(lost.ok ? [] : lost.failures) } };
    }),
    perform: world((request) => {
      told.push(request.retry);
      if (request.instance === "lost") return failed(`lost-${request.attempt}`);
      if (request.attempt === 1) return failed("busy");
      return request.attempt === 2 ? { outcome: "failed", failure: unusable, ms: 1 } : done({ ok: true });
    }),
  });
  await s.drive();
  expect(told.slice(0, 3)).toEqual([undefined, { number: 1 }, { number: 2, because: "status: missing" }]);
  const report = (await s.records()).findLast((record) => record.type === "run.finished")?.report;
  expect(report).toEqual({
    retried: ["busy", "contract_invalid"],
    lost: ["lost-1", "lost-2"],
  });
});

test("an answer that was refused stays in the journal and reaches no pipeline; that nothing was said does", async () => {
  const refused = { class: "contract", code: "contract_invalid", message: "status: missing" } as const;
  const said = ["a whole rejected draft", "  "];
  const s = await stage({
    pipeline: pipe(async ({ phase, agent, attempt }) => {
      phase("1 Work");
      const { retried } = await agent(worker, {}, { retry: upTo(2) });
      const lost = await attempt(worker, {}, { as: "lost", retry: upTo(1) });
      return { status: "done", report: { retried, lost: lost.ok ? [] : [lost.failure, ...(lost.failures ?? [])] } };
    }),
    perform: world(({ attempt, instance }) => {
      const last = said[attempt - 1] ?? "no more";
      if (attempt === 3 && instance !== "lost") return done({ ok: true });
      return { outcome: "failed", failure: { ...refused, last }, ms: 1 };
    }),
  });
  await s.drive();
  const records = await s.records();
  const report = records.findLast((record) => record.type === "run.finished")?.report;
  const [plain, silent] = [refused, { ...refused, last: "  " }];
  expect(report).toEqual({ retried: [plain, silent], lost: [silent, plain, silent] });
  const kept = records.flatMap((record) => (record.type === "agent.finished" ? (record.failure?.last ?? []) : []));
  expect(kept).toContain("a whole rejected draft");
});

test("work whose answer alone could not be used is what the next attempt begins with, also after a restart", async () => {
  const begun: (string | undefined)[] = [];
  const refused = { class: "contract", code: "contract_invalid", message: "status: missing" } as const;
  const crashed = { class: "transient", code: "agent_crashed", message: "exit code 1" } as const;
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {}, { retry: upTo(5) });
      await agent(worker, {}, { as: "another" });
      return { status: "done" };
    }),
    perform: world(({ attempt, kept, instance }) => {
      begun.push(kept);
      if (instance === "another" || attempt === 4) return done({ ok: true });
      if (attempt === 2) return { outcome: "failed", failure: crashed, ms: 1 };
      return { outcome: "failed", failure: refused, kept: `tree-${attempt}`, ms: 1 };
    }),
  });
  await s.drive();
  expect(begun).toEqual([undefined, "tree-1", "tree-1", "tree-3", undefined]);
  const records = await s.records();
  expect(records.flatMap((record) => (record.type === "agent.finished" ? [record.kept] : []))).toEqual([
    "tree-1",
    undefined,
    "tree-3",
    undefined,
    undefined,
  ]);
  // As an engine that opens the run sees it.
  expect(readAttemptHistory(indexHistory(records).byKey("1 Work/worker"), 0).kept).toBe("tree-3");
});

test("a run is given its pipeline's policy with defaults, and one that does not fit is refused by the knob's name", async () => {
  const policy = { file: "policy.json", schema: z.strictObject({ cap: z.number().default(3) }) };
  const knobs = {
    ...pipe(async ({ phase, see }) => {
      phase("1 Work");
      return { status: "done", report: { policy: await see("policy") } };
    }),
    policy,
  };
  const s = await stage({ pipeline: knobs });
  await s.drive();
  const report = (await s.records()).findLast((record) => record.type === "run.finished")?.report;
  expect(report).toEqual({ policy: { cap: 3 } });
  const refused = stage({ pipeline: knobs, order: { policy: { cap: "many", speed: 1 } } });
  await expect(refused).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringMatching(/cap: .*found "many".*speed: unknown setting/),
  });
});

test("an input that does not fit is refused by field, with what was expected and what was found", async () => {
  const fussy = {
    ...pipe(async () => ({ status: "done" })),
    input: z.strictObject({ slug: z.string().regex(/^[a-z]+$/, { error: "expected small letters" }), n: z.number() }),
  };
  await expect(stage({ pipeline: fussy, order: { input: { slug: "../x" } } })).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringContaining('slug: expected small letters, found "../x"; n: expected number, found nothing'),
  });
});

test("an interrupted attempt is replaced once and does not count as a retry", async () => {
  const attempts: number[] = [];
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {});
      return { status: "done" };
    }),
    perform: world((request) => {
      attempts.push(request.attempt);
      return request.attempt === 1 ? { outcome: "interrupted" } : done({ ok: true });
    }),
  });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(attempts).toEqual([1, 2]);
});

test("[A-17] a second interruption of one dispatch suspends the run, and resume starts a new count", async () => {
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {}, { retry: upTo(9) });
      return { status: "done" };
    }),
    perform: world(({ attempt }) => (attempt < 4 ? { outcome: "interrupted" } : done({ ok: true }))),
  });
  expect(await s.drive()).toEqual({ status: "interrupted", exit: 130 });
  const records = await s.records();
  expect(records.filter((record) => record.type === "agent.started")).toHaveLength(2);
  expect(records.at(-1)).toMatchObject({
    reason: expect.stringContaining("died 2 times while the same agent was running"),
  });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
});

test("an agent whose worker is stopped repeatedly is asked again each time, without counting", async () => {
  const cut = { outcome: "interrupted", orderly: true, worker: "build-1/82073146" } as const;
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {});
      return { status: "done" };
    }),
    perform: world(({ attempt }) => (attempt < 6 ? cut : done({ ok: true }))),
  });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  const ended = (await s.records()).filter((record) => record.type === "agent.finished");
  expect(ended.slice(0, -1)).toEqual(Array.from({ length: 5 }, () => expect.objectContaining(cut)));
});

test("an attempt that a worker died with is recorded with the worker's name, and counted", async () => {
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {});
      return { status: "done" };
    }),
    perform: world(() => ({ outcome: "interrupted", worker: "build-1/82073146" })),
  });
  expect(await s.drive()).toEqual({ status: "interrupted", exit: 130 });
  const [ended] = (await s.records()).filter((record) => record.type === "agent.finished");
  expect(ended).toMatchObject({ outcome: "interrupted", worker: "build-1/82073146" });
});

test.each(["auth", "agent_missing"])(
  "an agent that fails with %s lets the run rest with 4, is nobody's try, and is asked again by resume",
  async (code) => {
    const failure = { class: "deterministic", code, message: "codex is not to be had." } as const;
    const s = await stage({
      pipeline: pipe(async ({ phase, agent }) => {
        phase("1 Work");
        await agent(worker, {}, { retry: (failures) => ({ again: failures.length === 0, waitMs: 0 }) });
        return { status: "done" };
      }),
      perform: world(({ attempt }) => (attempt < 3 ? { outcome: "failed", failure, ms: 1 } : done({ ok: true }))),
    });
    expect(await s.drive()).toEqual({ status: "interrupted", exit: 4 });
    const reason = expect.stringMatching(/^codex is not to be had\. .*`signalbox doctor`.*`signalbox resume`/);
    expect((await s.records()).at(-1)).toMatchObject({ type: "run.suspended", reason });
    expect(await s.drive()).toEqual({ status: "interrupted", exit: 4 });
    expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  },
);

test("a missing prerequisite suspends the run with its exit code and the fix, and the same run continues", async () => {
  let full = true;
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {});
      return { status: "done" };
    }),
    perform: world(() => {
      if (full) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC", path: "/cache/x" });
      return done({ ok: true });
    }),
  });
  expect(await s.drive()).toEqual({ status: "interrupted", exit: 74 });
  const reason = expect.stringMatching(/o space is left on the disk for \/cache\/x.*run `signalbox resume`/);
  expect((await s.records()).at(-1)).toMatchObject({ type: "run.suspended", code: "DISK_FAILED", reason });
  full = false;
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
});

test("a canceled run starts no further agent", async () => {
  let started = 0;
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {}, { as: "first" });
      await agent(worker, {}, { as: "second" });
      return { status: "done" };
    }),
    perform: world(async (_request, signal) => {
      started += 1;
      await s.post({ kind: "cancel", by: "eve" });
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { outcome: "interrupted" };
    }),
  });
  expect(await s.drive()).toEqual({ status: "canceled", exit: 1 });
  expect(started).toBe(1);
  expect(await s.drive()).toEqual({ status: "canceled", exit: 1 });
});

test("a stopped run can be resumed where it was", async () => {
  const stop = new AbortController();
  let calls = 0;
  const perform = world(async (_request, signal) => {
    calls += 1;
    if (calls === 1) {
      stop.abort();
      await new Promise<void>((resolve) =>
        signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve()),
      );
      return { outcome: "interrupted" };
    }
    return done({ ok: true });
  });
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {});
      return { status: "done" };
    }),
    perform,
    recover: () => ({ outcome: "interrupted" }),
  });
  expect(await s.drive(stop.signal)).toEqual({ status: "interrupted", exit: 130 });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
});

test("stopping the engine by hand again and again uses up no interruption", async () => {
  let stop = new AbortController();
  let calls = 0;
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      await agent(worker, {});
      return { status: "done" };
    }),
    perform: world(async (_request, signal) => {
      calls += 1;
      if (calls > 3) return done({ ok: true });
      stop.abort();
      await new Promise<void>((resolve) =>
        signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve()),
      );
      return { outcome: "interrupted" };
    }),
  });
  for (let n = 0; n < 3; n += 1) {
    stop = new AbortController();
    expect(await s.drive(stop.signal)).toEqual({ status: "interrupted", exit: 130 });
  }
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
});

test("a limit suspends the run, and a higher one resumes it", async () => {
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1 Work");
      for (const name of ["a", "b", "c"]) await agent(worker, {}, { as: name });
      return { status: "done" };
    }),
    order: { limits: { dispatches: 2 } },
  });
  expect(await s.drive()).toEqual({ status: "budget", exit: 5 });
  await s.post({ kind: "resume", by: "eve" });
  expect(await s.drive()).toEqual({ status: "budget", exit: 5 });
  await s.post({ kind: "resume", by: "eve", limits: { dispatches: 5 } });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
});

test("pause parks the run and resume is its answer", async () => {
  const s = await stage({
    pipeline: pipe(async ({ phase, pause }) => {
      phase("1 Work");
      const { by } = await pause("five attempts used", { task: 3 });
      return { status: "done", reason: by };
    }),
  });
  expect(await s.drive()).toEqual({ status: "paused", exit: 3 });
  expect(await s.drive()).toEqual({ status: "paused", exit: 3 });
  await s.post({ kind: "resume", by: "eve" });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect((await s.records()).at(-1)).toMatchObject({ reason: "eve" });
});

test("end() in a branch ends the run after its siblings have come to theirs", async () => {
  const ends: string[] = [];
  const s = await stage({
    pipeline: pipe(async ({ phase, parallel, agent, end }) => {
      phase("1 Work");
      await parallel(["a", "b"], async (name) => {
        if (name === "a") end({ status: "error", reason: "a blocker" });
        await agent(worker, {});
        ends.push(name);
      });
      return { status: "done" };
    }),
  });
  expect(await s.drive()).toEqual({ status: "error", exit: 1 });
  expect(ends).toEqual(["b"]);
  expect((await s.records()).at(-1)).toMatchObject({ reason: "a blocker" });
});

test("SQL rules ask the ledger for rows that the engine wrote, with what they need and found", async () => {
  const rule = sqlRule({
    id: "EG-2",
    because: "two checks passed",
    sql: "SELECT CAST(COUNT(DISTINCT check_name) AS INTEGER) AS actual FROM anvil_checks WHERE run_id = :run AND task_id = :task AND passed = 1",
    need: ":need",
  });
  const s = await stage({
    pipeline: pipe(async ({ phase, check, gate }) => {
      phase("1 Work");
      await check({ tree: BASE_TREE }, { task: "t1" });
      const two = await gate("two", [rule], { task: "t1", need: 2, tree: BASE_TREE });
      const three = await gate("three", [rule], { task: "t1", need: 3, tree: BASE_TREE });
      return { status: "done", reason: `${two.passed} ${three.passed} ${three.findings[0]?.message}` };
    }),
    order: {
      commands: [
        { name: "build", run: "make" },
        { name: "test", run: "make test" },
      ],
    },
  });
  await s.drive();
  expect((await s.records()).at(-1)).toMatchObject({ reason: "true false EG-2: two checks passed (is 2, needs 3)" });
  const evaluated = (await s.records()).filter((record) => record.type === "gate.evaluated");
  expect(evaluated.map(({ passed, actual, need }) => ({ passed, actual, need }))).toEqual([
    { passed: true, actual: 2, need: 2 },
    { passed: false, actual: 2, need: 3 },
  ]);
});

test("a uuid is seen in its usual form, and as the same one by a replay", async () => {
  const seen: string[] = [];
  const pipeline = pipe(async ({ phase, see, pause }) => {
    phase("1 Work");
    seen.push(await see("uuid"));
    await pause("a breath", {});
    return { status: "done" };
  });
  const s = await stage({ pipeline });
  await s.drive();
  await s.post({ kind: "resume", by: "Ada" });
  await s.drive();
  expect(seen).toHaveLength(2);
  expect(z.uuidv4().parse(seen[0])).toBe(seen[1]);
});

test("other open runs of the same pipeline are seen, ended ones and other pipelines are not", async () => {
  const pipeline = pipe(async ({ phase, see, pause }) => {
    phase("1 Work");
    const seen = await see("runs");
    if (seen.length === 0) await pause("wait", {});
    return { status: "done", report: { seen: seen.map(({ run, status, owned }) => ({ run, status, owned })) } };
  });
  const first = await stage({ pipeline });
  await first.drive();
  const second = await stage({ pipeline, host: first.host });
  await second.drive();
  const third = await stage({ pipeline, host: first.host });
  await third.drive();
  const seenBy = async (s: typeof first) =>
    (await s.records()).findLast((each) => each.type === "run.finished")?.report;
  expect(await seenBy(second)).toEqual({ seen: [{ run: first.run, status: "paused", owned: false }] });
  expect(await seenBy(third)).toEqual({ seen: [{ run: first.run, status: "paused", owned: false }] });
});

test("a lenient write returns why it failed, and the run continues", async () => {
  const s = await stage({
    pipeline: pipe(async ({ phase, write }) => {
      phase("1 Work");
      const { refused = "" } = await write("memory.md", "text", { lenient: true });
      return { status: "done", report: { refused } };
    }),
    perform: (effect) => {
      if (effect.kind === "write") throw new Error("the disk is full");
      return null;
    },
  });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  const report = (await s.records()).findLast((record) => record.type === "run.finished")?.report;
  expect(report).toEqual({ refused: "the disk is full" });
});

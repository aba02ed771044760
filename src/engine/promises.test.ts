import { expect, test } from "vitest";
import { z } from "zod";
import { type Body, pipe as small } from "../../test/support/pipe.ts";
import { BASE_TREE, done, failed, quickWorld, type Stage, stage, world } from "../../test/support/stage.ts";
import type { PipelineSpec } from "../core/authoring/pipeline.ts";
import { defineRole } from "../core/authoring/role.ts";
import { valueRule } from "../core/authoring/rule.ts";
import type { Host } from "../core/ports/host.ts";
import { createMemoryHost } from "../hosts/memory/host.ts";

const worker = defineRole({ name: "worker", does: "works", contract: z.object({ ok: z.boolean() }) });
const says = valueRule<{ blocked: boolean }>({
  id: "V",
  because: "it was said",
  judge: ({ blocked }) => ({ passed: !blocked, blocked }),
});
const passes = valueRule({ id: "P", because: "always", judge: () => ({ passed: true }) });

const pipe = (body: Body, spec: Partial<PipelineSpec<unknown>> = {}) =>
  small(body, { phases: [{ title: "1" }], ...spec });

async function answerAll(s: Stage, choice: string): Promise<void> {
  const records = await s.records();
  const decided = new Set(records.flatMap((record) => (record.type === "approval.decided" ? [record.approval] : [])));
  for (const record of records) {
    if (record.type !== "approval.requested" || decided.has(record.approval)) continue;
    await s.post({ kind: "answer", approval: record.approval, hash: record.hash, choice, by: "eve" });
  }
}

/** Everything goes on, but the next append waits until it is let go. */
function slowHost(): { host: Host; hold(): void; letGo(): void; held: Promise<void> } {
  const real = createMemoryHost({ world: quickWorld() });
  let waiting = false;
  let letGo = () => {};
  let reached = () => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const held = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const append: Host["journal"]["append"] = async (lease, records) => {
    if (waiting) {
      waiting = false;
      reached();
      await free;
    }
    return real.journal.append(lease, records);
  };
  return { host: { ...real, journal: { ...real.journal, append } }, hold: () => (waiting = true), letGo, held };
}

test("[A-18] a resumed run is stopped by the same blocker as an undisturbed one, in whatever order branches ended", async () => {
  const body =
    (asks: boolean): Body =>
    async ({ phase, parallel, agent, gate, ask, commit }) => {
      phase("1");
      const judged = await parallel(["slow", "fast"], async (name) => {
        await agent(worker, { name });
        return gate("review", [says], { blocked: name === "slow", tree: BASE_TREE });
      });
      if (asks) await ask({ title: "Go?", show: 1, choices: ["yes"], auto: "never" });
      const passed = judged.filter((each) => each?.passed).flatMap((each) => (each ? [each] : []));
      await commit({ tree: BASE_TREE }, { message: "m", because: passed });
      return { status: "done" };
    };
  const perform = world(async (request) => {
    if (request.instance === "slow") await new Promise((resolve) => setTimeout(resolve, 20));
    return done({ ok: true });
  });
  const calm = await stage({ pipeline: pipe(body(false)), perform });
  expect(await calm.drive()).toEqual({ status: "error", exit: 1 });
  const parked = await stage({ pipeline: pipe(body(true)), perform });
  await parked.drive();
  await answerAll(parked, "yes");
  expect(await parked.drive()).toEqual({ status: "error", exit: 1 });
});

test("[A-18] a gate without rules is refused, so it cannot let a commit pass", async () => {
  const s = await stage({
    pipeline: pipe(async ({ phase, gate }) => {
      phase("1");
      await gate("nothing", [], { tree: BASE_TREE });
      return { status: "done" };
    }),
  });
  await expect(s.drive()).rejects.toMatchObject({ code: "RULE_INVALID" });
});

test("a cancel stays unread until the end that it caused is stored", async () => {
  let unread = -1;
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1");
      await agent(worker, {});
      return { status: "done" };
    }),
    perform: world(async (_request, signal) => {
      await s.post({ kind: "cancel", by: "eve" });
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      unread = (await s.host.inbox.unread(s.run)).length;
      return { outcome: "interrupted" };
    }),
  });
  expect(await s.drive()).toEqual({ status: "canceled", exit: 1 });
  expect(unread).toBe(1);
  expect(await s.host.inbox.unread(s.run)).toHaveLength(0);
});

test("no effect begins once the run is over, however late its intent was stored", async () => {
  const { host, hold, letGo, held } = slowHost();
  const performed: string[] = [];
  const s = await stage({
    host,
    pipeline: pipe(async ({ phase, gate, commit }) => {
      phase("1");
      const decision = await gate("g", [passes], { tree: "new" });
      hold();
      await commit({ tree: "new" }, { message: "m", because: [decision] });
      return { status: "done" };
    }),
    perform: (effect) => {
      performed.push(effect.kind);
      return { commit: "c", branch: "b" };
    },
  });
  const driving = s.drive();
  await held;
  await s.post({ kind: "cancel", by: "eve" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  letGo();
  expect(await driving).toEqual({ status: "canceled", exit: 1 });
  expect(performed).toEqual([]);
});

test("limits hold between branches that wait for a place", async () => {
  let dispatches = 0;
  const items = Array.from({ length: 20 }, (_, index) => String(index));
  const s = await stage({
    pipeline: pipe(
      async ({ phase, parallel, agent }) => {
        phase("1");
        await parallel(items, () => agent(worker, {}));
        return { status: "done" };
      },
      { cap: 2 },
    ),
    order: { limits: { dispatches: 3 } },
    perform: world(() => {
      dispatches += 1;
      return done({ ok: true });
    }),
  });
  expect(await s.drive()).toEqual({ status: "budget", exit: 5 });
  expect(dispatches).toBe(3);
});

test("a limit of time ends the wait for an agent that hangs, and a longer one lets it be asked again", async () => {
  let calls = 0;
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1");
      await agent(worker, {});
      return { status: "done" };
    }),
    order: { limits: { timeMs: 50 } },
    perform: world(async (_request, signal) => {
      calls += 1;
      if (calls > 1) return done({ ok: true });
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      return { outcome: "interrupted" };
    }),
  });
  expect(await s.drive()).toEqual({ status: "time", exit: 5 });
  await s.post({ kind: "resume", by: "eve", limits: { timeMs: 60_000 } });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
});

test("a callback that throws leaves no finished attempt behind that would be sent again", async () => {
  let broken = true;
  const role = defineRole({
    name: "rower",
    does: "has rows",
    contract: z.object({ ok: z.boolean() }),
    rows: () => {
      if (broken) throw new Error("a bug in the rows");
      return [];
    },
  });
  const body: Body = async ({ phase, agent }) => {
    phase("1");
    await agent(role, {});
    return { status: "done" };
  };
  let dispatches = 0;
  const s = await stage({
    pipeline: pipe(body),
    perform: world(() => {
      dispatches += 1;
      return done({ ok: true });
    }),
    recover: world(() => ({ ...done({ ok: true }), adopted: true })),
  });
  await expect(s.drive()).rejects.toMatchObject({ code: "BODY_THREW" });
  expect((await s.records()).some((record) => record.type === "agent.finished" && record.outcome === "done")).toBe(
    false,
  );
  broken = false;
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
  expect(dispatches).toBeLessThanOrEqual(2);
});

test("a broken step cannot be caught by the pipeline, and continues when the machine is repaired", async () => {
  let full = true;
  const base = world(() => done({ ok: true }));
  const s = await stage({
    pipeline: pipe(async ({ phase, check, note }) => {
      phase("1");
      try {
        await check({ tree: BASE_TREE });
      } catch {
        await note({ fell: "back" });
      }
      return { status: "done" };
    }),
    order: { commands: [{ name: "t", run: "t" }] },
    perform: (effect, signal) => {
      if (effect.kind === "check" && full) throw new Error("ENOSPC");
      return base(effect, signal);
    },
  });
  await expect(s.drive()).rejects.toMatchObject({ code: "BODY_THREW" });
  full = false;
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
});

test("an answer that arrives while the run is being parked drives it on", async () => {
  const { host, hold, letGo, held } = slowHost();
  const s = await stage({
    host,
    pipeline: pipe(async ({ phase, ask, see }) => {
      phase("1");
      await see("head");
      hold();
      const { choice } = await ask({ title: "Go?", show: 1, choices: ["yes"], auto: "never" });
      return { status: "done", reason: choice };
    }),
  });
  const driving = s.drive();
  await held;
  letGo();
  const asked = await new Promise<void>((resolve) => {
    const look = async () =>
      (await s.records()).some((record) => record.type === "approval.requested") ? resolve() : setTimeout(look, 1);
    void look();
  });
  expect(asked).toBeUndefined();
  await answerAll(s, "yes");
  const first = await driving;
  expect(first.status === "done" || (await s.drive()).status === "done").toBe(true);
});

test("a branch that was renamed after its wave had ended is refused before anything is performed", async () => {
  const body =
    (names: readonly string[]): Body =>
    async ({ phase, parallel, agent, see, ask }) => {
      phase("1");
      await parallel(names, () => agent(worker, {}));
      await see("head");
      await ask({ title: "Go?", show: 1, choices: ["yes"], auto: "never" });
      return { status: "done" };
    };
  const s = await stage({ pipeline: pipe(body(["a", "b"])) });
  await s.drive();
  let dispatched = 0;
  const renamed = await s.again({
    pipeline: pipe(body(["a", "c"])),
    perform: world(() => {
      dispatched += 1;
      return done({ ok: true });
    }),
  });
  await expect(renamed.drive()).rejects.toMatchObject({ code: "STEP_DIVERGED" });
  expect(dispatched).toBe(0);
});

test("a round that is over takes no new step either", async () => {
  const body =
    (extra: boolean): Body =>
    async ({ phase, loop, agent, gate, ask }) => {
      phase("1");
      await loop({ max: 2 }, async ({ round }) => {
        if (extra && round === 1) await agent(worker, {}, { as: "extra" });
        return { decision: await gate("g", [says], { blocked: round === 1 }) };
      });
      await ask({ title: "Go?", show: 1, choices: ["yes"], auto: "never" });
      return { status: "done" };
    };
  const s = await stage({ pipeline: pipe(body(false)) });
  await s.drive();
  await expect((await s.again({ pipeline: pipe(body(true)) })).drive()).rejects.toMatchObject({
    code: "STEP_DIVERGED",
  });
});

test("phases that lead to each other can both be skipped, and a skip inside a part counts outside it", async () => {
  const phases = [
    { title: "1" },
    { title: "2 Draft", next: ["2b Review"] },
    { title: "2b Review", next: ["2 Draft", "3"] },
    { title: "3" },
  ];
  const s = await stage({
    pipeline: pipe(
      async ({ phase, skip, within }) => {
        phase("1");
        await within("part", async () => {
          skip("2 Draft", "no need");
          skip("2b Review", "no need");
        });
        phase("3");
        return { status: "done" };
      },
      { phases },
    ),
  });
  expect(await s.drive()).toEqual({ status: "done", exit: 0 });
});

test("names that look like numbered ones are kept apart", async () => {
  const s = await stage({
    pipeline: pipe(async ({ phase, agent }) => {
      phase("1");
      for (const as of ["y", "y", "y#2"]) await agent(worker, {}, { as });
      return { status: "done" };
    }),
  });
  await s.drive();
  const keys = (await s.records()).flatMap((record) => (record.type === "step.started" ? [record.key] : []));
  expect(new Set(keys).size).toBe(3);
});

test("an unawaited verb does not end the process", async () => {
  const rejections: unknown[] = [];
  const heard = (error: unknown) => rejections.push(error);
  process.on("unhandledRejection", heard);
  const s = await stage({
    pipeline: pipe(async ({ phase, agent, see }) => {
      phase("1");
      agent(worker, {});
      await see("head");
      return { status: "done" };
    }),
    perform: world(() => failed()),
  });
  await expect(s.drive()).rejects.toMatchObject({ code: "VERB_CONCURRENT" });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", heard);
  expect(rejections).toEqual([]);
});

test("an invalid cap is refused", async () => {
  expect(() => pipe(async () => ({ status: "done" }), { cap: 0 })).toThrow("has an invalid cap: 0 agents");
  const s = await stage({
    pipeline: pipe(async ({ phase, parallel, agent }) => {
      phase("1");
      await parallel(["a"], () => agent(worker, {}), { cap: Number.NaN });
      return { status: "done" };
    }),
  });
  await expect(s.drive()).rejects.toMatchObject({ code: "LOOP_INVALID" });
});

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Body, pipe as small } from "../../../test/support/pipe.ts";
import { done, type Stage, stage, world } from "../../../test/support/stage.ts";
import { defineRole } from "../../core/authoring/role.ts";
import { valueRule } from "../../core/authoring/rule.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { replayJournal } from "./replay.ts";

const worker = defineRole({ name: "worker", does: "works", contract: z.object({ ok: z.boolean() }) });
const other = defineRole({ name: "other", does: "works elsewhere", contract: z.object({ ok: z.boolean() }) });
const passes = valueRule({ id: "V-1", because: "always", judge: () => ({ passed: true }) });

const PHASES = [{ title: "1 Work", roles: [worker] }, { title: "2 Rest", roles: [worker, other] }, { title: "3 End" }];
const pipe = (body: Body) => small(body, { name: "guarded", phases: PHASES });
const run = (body: Body) => stage({ pipeline: pipe(body) });

async function refusal(s: Stage): Promise<SignalboxError> {
  try {
    await s.drive();
  } catch (error) {
    if (error instanceof SignalboxError) return error;
    throw error;
  }
  throw new Error(`not refused: ${JSON.stringify((await s.records()).at(-1))}`);
}

describe("misuses that one run shows", () => {
  const misuses: { title: string; code: string; names: string; body: Body }[] = [
    {
      title: "Promise.all over verbs",
      code: "VERB_CONCURRENT",
      names: "1 Work/worker",
      body: async ({ phase, agent }) => {
        phase("1 Work");
        await Promise.all([agent(worker, { n: 1 }), agent(worker, { n: 2 })]);
        return { status: "done" };
      },
    },
    {
      title: "Promise.allSettled over verbs, which would hide the error",
      code: "VERB_CONCURRENT",
      names: "1 Work/worker",
      body: async ({ phase, agent }) => {
        phase("1 Work");
        await Promise.allSettled([agent(worker, { n: 1 }), agent(worker, { n: 2 })]);
        return { status: "done" };
      },
    },
    {
      title: "Promise.race over verbs",
      code: "VERB_CONCURRENT",
      names: "1 Work/worker",
      body: async ({ phase, agent, see }) => {
        phase("1 Work");
        await Promise.race([agent(worker, {}), see("now")]);
        return { status: "done" };
      },
    },
    {
      title: "a forgotten await before another verb",
      code: "VERB_CONCURRENT",
      names: "1 Work/worker",
      body: async ({ phase, agent, see }) => {
        phase("1 Work");
        agent(worker, {}).catch(() => {});
        await see("now");
        return { status: "done" };
      },
    },
    {
      title: "a forgotten await at the end",
      code: "VERB_UNAWAITED",
      names: "1 Work/worker",
      body: async ({ phase, agent }) => {
        phase("1 Work");
        agent(worker, {}).catch(() => {});
        return { status: "done" };
      },
    },
    {
      title: "a forgotten await inside a branch",
      code: "VERB_UNAWAITED",
      names: "1 Work/a/worker",
      body: async ({ phase, agent, parallel }) => {
        phase("1 Work");
        await parallel(["a"], async () => {
          agent(worker, {}).catch(() => {});
        });
        return { status: "done" };
      },
    },
    {
      title: "parallel() beside a pending verb",
      code: "VERB_CONCURRENT",
      names: "parallel()",
      body: async ({ phase, agent, parallel, see }) => {
        phase("1 Work");
        const both = parallel(["a"], () => agent(worker, {}));
        await see("now");
        await both;
        return { status: "done" };
      },
    },
    {
      title: "a verb from a timer",
      code: "VERB_OUTSIDE",
      names: "see",
      body: async ({ phase, parallel, see }) => {
        phase("1 Work");
        let late: (() => Promise<unknown>) | undefined;
        await parallel(["a"], async () => {
          const { AsyncResource } = await import("node:async_hooks");
          late = AsyncResource.bind(() => see("now"));
        });
        await late?.();
        return { status: "done" };
      },
    },
    {
      title: "end() swallowed by a catch that goes on",
      code: "END_SWALLOWED",
      names: "see",
      body: async ({ phase, see, end }) => {
        phase("1 Work");
        try {
          end({ status: "error", reason: "stop" });
        } catch {
          await see("now");
        }
        return { status: "done" };
      },
    },
    {
      title: "end() swallowed by a catch that returns",
      code: "END_SWALLOWED",
      names: "end()",
      body: async ({ phase, end }) => {
        phase("1 Work");
        try {
          end({ status: "error", reason: "stop" });
        } catch {
          // gone
        }
        return { status: "done" };
      },
    },
    {
      title: "end() of a branch swallowed around parallel()",
      code: "END_SWALLOWED",
      names: "see",
      body: async ({ phase, parallel, see, end }) => {
        phase("1 Work");
        await parallel(["a"], async () => end({ status: "error", reason: "stop" })).catch(() => {});
        await see("now");
        return { status: "done" };
      },
    },
    {
      title: "an input that JSON cannot carry",
      code: "VALUE_NOT_JSON",
      names: "1 Work/worker",
      body: async ({ phase, agent }) => {
        phase("1 Work");
        await agent(worker, { when: new Date(0), list: new Map() });
        return { status: "done" };
      },
    },
    {
      title: "a function in what a gate is about",
      code: "VALUE_NOT_JSON",
      names: "1 Work/g",
      body: async ({ phase, gate }) => {
        phase("1 Work");
        await gate("g", [passes], { f: () => 1 });
        return { status: "done" };
      },
    },
    {
      title: "a phase outside the declaration",
      code: "PHASE_UNKNOWN",
      names: "4 Party",
      body: async ({ phase }) => {
        phase("4 Party");
        return { status: "done" };
      },
    },
    {
      title: "a phase out of order",
      code: "PHASE_ORDER",
      names: "3 End",
      body: async ({ phase }) => {
        phase("1 Work");
        phase("3 End");
        return { status: "done" };
      },
    },
    {
      title: "a verb before any phase",
      code: "PHASE_MISSING",
      names: "see",
      body: async ({ see }) => {
        await see("now");
        return { status: "done" };
      },
    },
    {
      title: "a role outside its phase",
      code: "ROLE_OUTSIDE_PHASE",
      names: "other",
      body: async ({ phase, agent }) => {
        phase("1 Work");
        await agent(other, {});
        return { status: "done" };
      },
    },
    {
      title: "two branches of one name",
      code: "BRANCH_DUPLICATE",
      names: "a",
      body: async ({ phase, parallel, agent }) => {
        phase("1 Work");
        await parallel(["a", "a"], () => agent(worker, {}));
        return { status: "done" };
      },
    },
    {
      title: "an await on something that is not a verb",
      code: "BODY_STUCK",
      names: "guarded",
      body: async ({ phase, see }) => {
        phase("1 Work");
        await see("now");
        await new Promise(() => {});
        return { status: "done" };
      },
    },
    {
      title: "a bug in the pipeline's own code",
      code: "BODY_THREW",
      names: "undefined",
      body: async ({ phase, see }) => {
        phase("1 Work");
        await see("now");
        const nothing = undefined as unknown as { name: string };
        return { status: "done", reason: nothing.name };
      },
    },
  ];
  for (const misuse of misuses) {
    test(`${misuse.title} is refused with ${misuse.code}`, async () => {
      const s = await run(misuse.body);
      const error = await refusal(s);
      expect(error.code).toBe(misuse.code);
      if (misuse.code !== "BODY_STUCK") expect(error.message).toContain(misuse.names);
      expect(error.hint.length).toBeGreaterThan(10);
      expect((await s.records()).at(-1)).toMatchObject({ type: "run.suspended", status: "broken", code: misuse.code });
    });
  }
});

describe("misuses that a replay shows", () => {
  /** Runs the first body until it asks a person, then resumes it with the second. */
  const changed = async (first: Body, second: Body): Promise<SignalboxError> => {
    const s = await run(first);
    expect(await s.drive()).toMatchObject({ exit: 3 });
    return refusal(await s.again({ pipeline: pipe(second) }));
  };
  const question = { title: "Go?", show: 1, choices: ["yes"], auto: "never" } as const;
  const original: Body = async ({ phase, agent, ask }) => {
    phase("1 Work");
    await agent(worker, { n: 1 }, { as: "first" });
    await agent(worker, { n: 2 }, { as: "second" });
    await ask(question);
    return { status: "done" };
  };

  const cases: { title: string; code: string; names: string; body: Body }[] = [
    {
      title: "a renamed step",
      code: "STEP_DIVERGED",
      names: "1 Work/first",
      body: async ({ phase, agent, ask }) => {
        phase("1 Work");
        await agent(worker, { n: 1 }, { as: "renamed" });
        await agent(worker, { n: 2 }, { as: "second" });
        await ask(question);
        return { status: "done" };
      },
    },
    {
      title: "an inserted step",
      code: "STEP_DIVERGED",
      names: "1 Work/first",
      body: async ({ phase, agent, see, ask }) => {
        phase("1 Work");
        await see("now");
        await agent(worker, { n: 1 }, { as: "first" });
        await agent(worker, { n: 2 }, { as: "second" });
        await ask(question);
        return { status: "done" };
      },
    },
    {
      title: "a removed step in the middle",
      code: "STEP_DIVERGED",
      names: "1 Work/second",
      body: async ({ phase, agent, ask }) => {
        phase("1 Work");
        await agent(worker, { n: 1 }, { as: "first" });
        await ask(question);
        return { status: "done" };
      },
    },
    {
      title: "removed steps at the end",
      code: "STEP_UNREACHED",
      names: "1 Work/second",
      body: async ({ phase, agent }) => {
        phase("1 Work");
        await agent(worker, { n: 1 }, { as: "first" });
        return { status: "done" };
      },
    },
    {
      title: "swapped steps",
      code: "STEP_DIVERGED",
      names: "1 Work/first",
      body: async ({ phase, agent, ask }) => {
        phase("1 Work");
        await agent(worker, { n: 2 }, { as: "second" });
        await agent(worker, { n: 1 }, { as: "first" });
        await ask(question);
        return { status: "done" };
      },
    },
    {
      title: "a step moved into a branch",
      code: "STEP_DIVERGED",
      names: "1 Work/first",
      body: async ({ phase, agent, ask, parallel }) => {
        phase("1 Work");
        await parallel(["x"], () => agent(worker, { n: 1 }, { as: "first" }));
        await agent(worker, { n: 2 }, { as: "second" });
        await ask(question);
        return { status: "done" };
      },
    },
    {
      title: "another input",
      code: "STEP_CHANGED",
      names: "1 Work/first",
      body: async ({ phase, agent, ask }) => {
        phase("1 Work");
        await agent(worker, { n: 7 }, { as: "first" });
        await agent(worker, { n: 2 }, { as: "second" });
        await ask(question);
        return { status: "done" };
      },
    },
    {
      title: "another verb under the same name",
      code: "STEP_CHANGED",
      names: "1 Work/first",
      body: async ({ phase, agent, ask, gate }) => {
        phase("1 Work");
        await gate("first", [passes], {});
        await agent(worker, { n: 2 }, { as: "second" });
        await ask(question);
        return { status: "done" };
      },
    },
    {
      title: "a skip where a step was",
      code: "STEP_DIVERGED",
      names: "1 Work/first",
      body: async ({ phase, skip, ask }) => {
        phase("1 Work");
        skip("2 Rest", "no need");
        await ask(question);
        return { status: "done" };
      },
    },
  ];
  for (const each of cases) {
    test(`${each.title} is refused with ${each.code}`, async () => {
      const error = await changed(original, each.body);
      expect(error.code).toBe(each.code);
      expect(error.message).toContain(each.names);
      expect(error.hint).toContain("Restore the code");
    });
  }

  test("a clock in an input is refused with the step and the way to look at the clock", async () => {
    let now = 0;
    const body: Body = async ({ phase, agent, ask }) => {
      phase("1 Work");
      now += 1;
      await agent(worker, { at: now });
      await ask(question);
      return { status: "done" };
    };
    const error = await changed(body, body);
    expect(error).toMatchObject({ code: "STEP_CHANGED" });
    expect(error.hint).toContain('see("now")');
  });

  test("a broken run continues when the code is restored", async () => {
    const s = await run(original);
    await s.drive();
    const broken = await s.again({ pipeline: pipe(cases[0]?.body ?? original) });
    await refusal(broken);
    const repaired = await s.again({ pipeline: pipe(original) });
    const asked = (await s.records()).find((record) => record.type === "approval.requested");
    if (!asked) throw new Error("nothing was asked");
    await repaired.post({ kind: "answer", approval: asked.approval, hash: asked.hash, choice: "yes", by: "eve" });
    expect(await repaired.drive()).toEqual({ status: "done", exit: 0 });
  });
});

describe("values", () => {
  test("a result cannot be changed, on the first run either", async () => {
    const s = await run(async ({ phase, agent }) => {
      phase("1 Work");
      const answer = await agent(worker, {});
      (answer as { ok: boolean }).ok = false;
      return { status: "done" };
    });
    expect(await refusal(s)).toMatchObject({ code: "BODY_THREW" });
  });

  test("the first run gets what a replay would get: a value that went through JSON", async () => {
    const s = await stage({
      pipeline: pipe(async ({ phase, agent }) => {
        phase("1 Work");
        const answer = await agent(worker, {});
        return { status: "done", reason: String("gone" in answer) };
      }),
      perform: world(() => done({ ok: true, gone: undefined })),
    });
    await s.drive();
    expect((await s.records()).at(-1)).toMatchObject({ reason: "false" });
  });

  test("an end is sticky: a finished run is not run again", async () => {
    let bodies = 0;
    const s = await run(async ({ phase }) => {
      phase("1 Work");
      bodies += 1;
      return { status: "error", reason: "no" };
    });
    expect(await s.drive()).toEqual({ status: "error", exit: 1 });
    expect(await s.drive()).toEqual({ status: "error", exit: 1 });
    expect(bodies).toBe(1);
  });
});

describe("replay of a finished journal", () => {
  const body: Body = async ({ phase, agent, parallel, see, skip }) => {
    phase("1 Work");
    const at = await see("now");
    await parallel(["a", "b"], () => agent(worker, { at }));
    skip("2 Rest", "not today");
    phase("3 End");
    return { status: "done", reason: "all" };
  };

  test("the same code replays without performing anything", async () => {
    const s = await run(body);
    await s.drive();
    expect(
      await replayJournal({
        records: await s.records(),
        pipeline: pipe(body) as never,
        world: (await import("../../../test/support/stage.ts")).quickWorld(),
      }),
    ).toEqual({ ok: true });
  });

  test("code with one step more, one less or another end is refused", async () => {
    const s = await run(body);
    await s.drive();
    const records = await s.records();
    const { quickWorld } = await import("../../../test/support/stage.ts");
    const judge = (changed: Body) => replayJournal({ records, pipeline: pipe(changed) as never, world: quickWorld() });
    expect(
      await judge(async (v) => {
        const end = await body(v);
        await v.see("uuid");
        return end;
      }),
    ).toMatchObject({ ok: false, error: { code: "STEP_DIVERGED" } });
    expect(
      await judge(async ({ phase, see }) => {
        phase("1 Work");
        await see("now");
        return { status: "done", reason: "all" };
      }),
    ).toMatchObject({ ok: false, error: { code: "STEP_UNREACHED" } });
    expect(await judge(async (v) => ({ ...(await body(v)), reason: "other" }))).toMatchObject({ ok: false });
  });
});

describe("legal JavaScript", () => {
  test("loops, conditions, try, helpers and closures replay untouched", async () => {
    const body: Body = async ({ phase, agent, attempt, within, parallel, together, ask }) => {
      phase("1 Work");
      const twice = async (n: number) => (await within(`n ${n}`, () => agent(worker, { n }))).ok;
      let count = 0;
      for (const n of [1, 2, 3]) if (await twice(n)) count += 1;
      while (count < 5) {
        await agent(worker, { count });
        count += 1;
      }
      try {
        await agent(worker, { fail: true });
      } catch {
        count += 10;
      } finally {
        count += 100;
      }
      const nested = await parallel(["x", "y"], async (x) =>
        parallel(["1", "2"], async (y) => (await attempt(worker, { x, y })).ok),
      );
      const { a, b } = await together({ a: () => agent(worker, {}), b: async () => 7 });
      await Promise.resolve();
      await ask({ title: "Go?", show: count, choices: ["yes"], auto: "never" });
      return { status: "done", reason: `${count} ${nested.flat().length} ${a.ok} ${b}` };
    };
    const perform = world((request) =>
      (request.input as { fail?: boolean }).fail
        ? { outcome: "failed", failure: { class: "deterministic", code: "x", message: "x" }, ms: 1 }
        : done({ ok: true }),
    );
    const s = await stage({ pipeline: pipe(body), perform });
    expect(await s.drive()).toEqual({ status: "waiting", exit: 3 });
    const dispatches = (await s.records()).filter((record) => record.type === "agent.started").length;
    const asked = (await s.records()).find((record) => record.type === "approval.requested");
    if (!asked) throw new Error("nothing was asked");
    await s.post({ kind: "answer", approval: asked.approval, hash: asked.hash, choice: "yes", by: "eve" });
    expect(await s.drive()).toEqual({ status: "done", exit: 0 });
    const records = await s.records();
    expect(records.filter((record) => record.type === "agent.started")).toHaveLength(dispatches);
    expect(records.at(-1)).toMatchObject({ reason: "115 4 true 7" });
  });
});

import { expect, test } from "vitest";
import { z } from "zod";
import { BASE_TREE, quickWorld, stage, world } from "../../../../test/support/stage.ts";
import { definePipeline } from "../../../core/authoring/pipeline.ts";
import type { CheckOptions, Evidence } from "../../../core/authoring/verbs.ts";
import type { TestNames } from "../../../core/checks/reports/test-report.ts";
import { hashChain } from "../../drive/recorder.ts";

const GREEN = { "t.js › a": "passed" } as const;
const NAMED = { "t.js › a": "failed" } as const;
const SUSPECTED = { severity: "critical" as const, message: "t.js has 1 assertion fewer than before", by: "tamper" };
const GUARD = { severity: "critical" as const, message: "LICENSE was changed, but is protected", by: "tamper" };

type Scene = {
  /** How the old exam ends on the new code; undefined where it cannot be sat. */
  readonly oldOnNew: TestNames | undefined;
  /** How the new tests end on the new code. */
  readonly after?: TestNames;
  readonly guarded?: boolean;
  readonly options?: CheckOptions;
  readonly times?: number;
};

/** A change of which the text looks like a weakened test, checked as often as it comes back. */
async function checking({ oldOnNew, after = GREEN, guarded = false, options = {}, times = 1 }: Scene) {
  const seen: Evidence[] = [];
  const ran: string[] = [];
  const rest = world(() => ({}));
  const pipeline = definePipeline(
    { name: "own", about: "", version: 1, input: z.unknown(), dialect: "json", phases: [{ title: "One" }], cap: 1 },
    async ({ phase, check }) => {
      phase("One");
      for (let time = 1; time <= times; time += 1) {
        seen[time - 1] = await check({ tree: `new-${time}` }, { baseline: { tree: BASE_TREE }, ...options });
      }
      return { status: "done" };
    },
  );
  const s = await stage({
    pipeline,
    order: { commands: [{ name: "test", run: "npm test" }] },
    perform: (effect, signal) => {
      if (effect.kind === "exam")
        return { exam: ["t.js"], code: ["a.js"], inseparable: [], oldOnNew: `old-on-${effect.request.new}` };
      if (effect.kind !== "check") return rest(effect, signal);
      const { tree, commands, inspect } = effect.request;
      if (inspect) return [tamper(guarded)];
      return commands.map(({ name, run }) => {
        ran.push(tree);
        const result = { name, command: run, ms: 1, digest: "d", snippet: "" };
        const names = tree.startsWith("old-on-") ? oldOnNew : tree.startsWith("new-") ? after : GREEN;
        return names ? { ...result, ...reported(names) } : { ...result, exitCode: 1, notRun: "no program" };
      });
    },
  });
  const driven = await s.drive();
  return {
    s,
    driven,
    seen,
    ran,
    question: async () => (await s.records()).findLast((r) => r.type === "approval.requested"),
  };
}

function tamper(guarded: boolean) {
  const findings = guarded ? [GUARD, SUSPECTED] : [SUSPECTED];
  return {
    name: "tamper",
    command: "signalbox tamper",
    exitCode: 1,
    ms: 0,
    digest: "",
    snippet: "",
    findings,
    suspected: [SUSPECTED],
  };
}

function reported(names: TestNames) {
  const failed = Object.values(names).filter((end) => end === "failed").length;
  const total = Object.keys(names).length;
  return {
    exitCode: failed > 0 ? 1 : 0,
    tests: { total, failed, passed: total - failed, skipped: 0, source: "tap", names },
  };
}

test("[A-16] where the old tests still pass on the new code, a suspicion explains and decides nothing", async () => {
  const { seen, ran } = await checking({ oldOnNew: GREEN });
  expect(ran).toContain("old-on-new-1");
  expect(seen[0]).toMatchObject({ passed: true, tamper: [], regressions: [] });
  expect(seen[0]?.findings).toMatchObject([{ severity: "minor", message: SUSPECTED.message }]);
});

test("[A-26] an old test that fails on the new code is a regression with its name", async () => {
  const { seen } = await checking({ oldOnNew: NAMED });
  expect(seen[0]).toMatchObject({ passed: false, exam: { named: ["t.js › a"] }, tamper: [] });
  expect(seen[0]?.regressions[0]?.message).toContain('"a"');
});

test("[A-16] where the exam cannot be sat, the suspicion decides", async () => {
  const { seen } = await checking({ oldOnNew: undefined });
  expect(seen[0]).toMatchObject({ passed: false, tamper: [SUSPECTED] });
});

test("[A-16] what no exam can decide still decides", async () => {
  const { seen } = await checking({ oldOnNew: GREEN, guarded: true });
  expect(seen[0]).toMatchObject({ passed: false, tamper: [GUARD] });
});

test("[A-26] work that comes back with the same tests failing is put before a person", async () => {
  const { s, driven, seen, question } = await checking({ oldOnNew: NAMED, times: 2 });
  expect(driven).toMatchObject({ status: "waiting", exit: 3 });
  expect(seen).toHaveLength(1);
  const { approval = "", hash = "", show } = (await question()) ?? {};
  expect(show).toMatchObject({ tests: ["t.js › a"], explained: [SUSPECTED.message] });
  await s.post({ kind: "answer", approval, hash, choice: "meant", by: "ann" });
  expect(await s.drive()).toMatchObject({ status: "done" });
  expect(seen[1]).toMatchObject({ passed: true, exam: { named: ["t.js › a"], by: "ann" } });
});

test("[A-26] where the new tests fail too, nobody is asked: the work goes back", async () => {
  const options = { asks: "at once" } as const;
  const { driven, seen, question } = await checking({ oldOnNew: NAMED, after: NAMED, times: 2, options });
  expect(driven).toMatchObject({ status: "done" });
  expect(await question()).toBeUndefined();
  expect(seen.map(({ passed, exam }) => ({ passed, named: exam?.named }))).toEqual([
    { passed: false, named: ["t.js › a"] },
    { passed: false, named: ["t.js › a"] },
  ]);
});

test("an answer that was recorded before the engine died is not asked for again", async () => {
  const { s, seen, question } = await checking({ oldOnNew: NAMED, options: { asks: "at once" } });
  const asked = await question();
  const last = (await s.records()).at(-1);
  const { host, run } = s;
  const won = await host.runs.claim(run, "one who dies");
  if (!won.won || !asked || !last) throw new Error("nobody asked");
  const { key, approval, hash } = asked;
  const decided = { type: "approval.decided", key, approval, choice: "meant", by: "ann", hash } as const;
  const bare = { ...decided, v: 1, seq: last.seq + 1, ts: last.ts, run } as const;
  await host.journal.append(won.lease, [{ ...bare, chain: hashChain(quickWorld(), last.chain, bare) }]);
  await host.runs.release(won.lease);
  expect(await s.drive()).toMatchObject({ status: "done" });
  expect(seen[0]).toMatchObject({ passed: true, exam: { by: "ann" } });
});

test("what a person has let go is not asked again", async () => {
  const { s, question, seen } = await checking({ oldOnNew: NAMED, times: 3, options: { asks: "at once" } });
  const { approval = "", hash = "" } = (await question()) ?? {};
  await s.post({ kind: "answer", approval, hash, choice: "meant", by: "ann" });
  expect(await s.drive()).toMatchObject({ status: "done" });
  expect(seen.map(({ passed }) => passed)).toEqual([true, true, true]);
});

test("a person who says that it is not meant leaves the check failed", async () => {
  const { s, question, seen } = await checking({ oldOnNew: NAMED, options: { asks: "at once" } });
  const { approval = "", hash = "" } = (await question()) ?? {};
  await s.post({ kind: "answer", approval, hash, choice: "not meant", by: "ann" });
  expect(await s.drive()).toMatchObject({ status: "done" });
  expect(seen[0]).toMatchObject({ passed: false });
});

test("a change of tests that the old tests let pass is not called none: the check says what was seen", async () => {
  const { seen } = await checking({ oldOnNew: GREEN });
  expect(seen[0]?.checks.find(({ name }) => name === "tamper")).toMatchObject({
    passed: true,
    because: "the old tests pass on the new code; t.js has 1 assertion fewer than before",
  });
});

test("[A-41] the question lists how many tests an approval excuses", async () => {
  const { question } = await checking({ oldOnNew: NAMED, options: { asks: "at once" } });
  expect((await question())?.show).toMatchObject({ excuses: ['1 of 1 tests that passed before: "t.js › a"'] });
});

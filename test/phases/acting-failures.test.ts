import { expect, test } from "vitest";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import type { Play } from "../support/answers/paper-world.ts";
import {
  asked,
  builds,
  commits,
  createProposal,
  createReply,
  eventsOf,
  inputsOf,
  type Part,
  type Played,
  phase,
  phasesOf,
  plans,
  play,
  SMALL,
  sentTo,
  silent,
  turns,
} from "./paper.ts";

const one = (more: object = {}) => createProposal({ phases: [phase(1, 1, more)], complexity_tier: "SMALL" });
const good = builds(() => "export {};\n");
const fails =
  (kind: string, summary = `it is ${kind}`): Part =>
  () => ({ contract: createReply("CoreImplementer", { status: "FAILED", failure_classification: kind, summary }) });
const refuses = (): Play => ({ failure: { code: "contract_invalid" } });
const tooLong: Play = { failure: { code: "context_full" } };
const run = (executor: Part, more: object = {}) =>
  play({ parts: { Planner: plans(one()), CoreImplementer: executor }, ...more });
const tries = (played: Played) => sentTo(played, "CoreImplementer").length;
const escalation = (played: Played) => asked(played, "Try again?");

test("[P-28] a transient failure is retried twice in a row, then a person is asked", async () => {
  const passing = await run(
    turns(
      () => silent(),
      () => silent(),
      good,
    ),
  );
  expect(passing.status).toBe("done");
  expect(tries(passing)).toBe(3);
  const stuck = await run(() => silent());
  expect(tries(stuck)).toBe(3);
  expect(escalation(stuck)?.title).toBe("Try again? phase 1: transient 3 times in a row");
});

test("[P-28] an unavailable model is tried three times in total", async () => {
  const stuck = await run(() => silent("model_unavailable"));
  expect(tries(stuck)).toBe(3);
  expect(escalation(stuck)?.title).toContain("phase 1: no retry left for model_unavailable");
});

test("[P-28] a fixable failure is retried once", async () => {
  expect((await run(turns(fails("fixable"), good))).status).toBe("done");
  const stuck = await run(fails("fixable"));
  expect(tries(stuck)).toBe(2);
  expect(escalation(stuck)?.title).toContain("no retry left for fixable");
});

test("[P-28] needs_replan goes to the planner once", async () => {
  const stuck = await run(fails("needs_replan"));
  expect(inputsOf(stuck, "Planner")).toHaveLength(2);
  expect(tries(stuck)).toBe(2);
  expect(escalation(stuck)?.title).toContain("no retry left for needs_replan");
});

test("[P-28] escalate stops immediately and asks", async () => {
  const stuck = await run(fails("escalate"));
  expect(tries(stuck)).toBe(1);
  expect(stuck).toMatchObject({ status: "waiting", exit: 3 });
  expect(escalation(stuck)).toMatchObject({ auto: "never" });
});

test("[P-29] retries of all classes share one budget per phase", async () => {
  const kinds = turns(
    () => silent(),
    fails("fixable"),
    () => silent(),
    fails("needs_replan"),
    () => silent(),
    good,
  );
  expect((await run(kinds)).status).toBe("done");
  const small = { policy: { retry_budgets: { max_retries_per_phase: 2, backoff_base_ms: 0 } } };
  const short = await run(
    turns(
      () => silent(),
      fails("fixable"),
      () => silent(),
      good,
    ),
    small,
  );
  expect(tries(short)).toBe(3);
  expect(escalation(short)?.title).toContain("all 2 retries of the phase are used");
});

test("[P-29] three failures of one class in a row stop the phase, whatever the budget of the class", async () => {
  const generous = { policy: { retry_budgets: { transient_max: 9, max_retries_per_phase: 9, backoff_base_ms: 0 } } };
  const stuck = await run(() => silent(), generous);
  expect(tries(stuck)).toBe(3);
});

test.each(["agent_silent", "agent_timeout", "rate_limit"])("[P-30] %s never completes a phase", async (code) => {
  const stuck = await run(() => silent(code));
  expect(stuck.status).toBe("waiting");
  expect(sentTo(stuck, "CodeReviewer")).toEqual([]);
  expect(commits(stuck)).toEqual([]);
  expect(eventsOf(stuck).at(-1)?.payload).toMatchObject({ event_type: "PHASE_REVIEW_GATE", decision: "ABSTAIN" });
});

test("[P-30] a silent reviewer is not an approval", async () => {
  const stuck = await play({ parts: { Planner: plans(one()), CodeReviewer: () => silent() } });
  expect(stuck.status).toBe("waiting");
  expect(asked(stuck, "could not be reviewed")).toMatchObject({ auto: "never" });
});

test("[P-32] a retry states its number, and waits longer each time", async () => {
  const played = await run(
    turns(
      () => silent(),
      () => silent(),
      good,
    ),
    {
      policy: { retry_budgets: { backoff_base_ms: 5 } },
    },
  );
  expect(sentTo(played, "CoreImplementer").map(({ retry }) => retry)).toEqual([
    undefined,
    { number: 1 },
    { number: 2 },
  ]);
  const waits = played.records.flatMap((each) => (each.type === "agent.retried" ? [each.waitMs] : []));
  expect(waits).toEqual([5, 10]);
});

test("[P-32] a failure that the agent itself calls transient also waits", async () => {
  const played = await run(turns(fails("transient"), good), { policy: { retry_budgets: { backoff_base_ms: 5 } } });
  expect(played.records.find((each) => each.type === "agent.retried")).toMatchObject({ attempt: 2, waitMs: 5 });
  expect(played.status).toBe("done");
});

test("[P-76] a transient retry sends the identical payload", async () => {
  const [first, second] = inputsOf(await run(turns(() => silent(), good)), "CoreImplementer");
  expect(second).toEqual(first);
});

test("[P-76] a fixable retry adds the reason", async () => {
  const played = await run(turns(fails("fixable", "the import is missing"), good));
  const [first, second] = inputsOf(played, "CoreImplementer");
  expect(first).not.toHaveProperty("fix_hint");
  expect(second).toMatchObject({ fix_hint: "the import is missing", retry_attempt: 1 });
  const unread = await run(turns(refuses, good));
  expect(sentTo(unread, "CoreImplementer")[1]?.retry).toEqual({ number: 1, because: "it failed: contract_invalid" });
});

test("[P-76] the planner gets the failed phase and its evidence, and nothing else of the plan", async () => {
  const parts = {
    Planner: turns(plans(SMALL), plans(one({ objective: "Another way" }))),
    CoreImplementer: turns(fails("needs_replan", "the file does not exist"), good),
  };
  const [, replan] = inputsOf(await play({ parts }), "Planner");
  expect(replan).toMatchObject({
    failed_phase: { phase_id: 1 },
    evidence: [{ class: "needs_replan", reason: "the file does not exist" }],
  });
  expect(replan).not.toHaveProperty("plan");
  expect(replan).not.toHaveProperty("research");
  expect(JSON.stringify(replan)).not.toContain("part-2");
});

test("[P-62] an exhausted budget shows how every attempt failed", async () => {
  const stuck = await run(turns(() => silent(), fails("fixable", "the import is missing")));
  expect(escalation(stuck)?.show).toMatchObject([
    {
      phase: 1,
      attempts: [
        { attempt: 1, class: "transient", reason: "it failed: agent_silent" },
        { attempt: 2, class: "fixable", reason: "the import is missing" },
        { attempt: 3, class: "fixable", reason: "the import is missing" },
      ],
    },
  ]);
});

test("[P-62] a person's approval restarts the phase with their note, a refusal ends the run", async () => {
  const again = await run(turns(fails("fixable"), fails("fixable"), good), {
    answers: [{ choice: "yes", note: "look in lib/" }],
  });
  expect(again.status).toBe("done");
  expect(inputsOf(again, "CoreImplementer")[2]).toMatchObject({
    fix_hint: "a person says: look in lib/\nit is fixable",
  });
  const over = await run(fails("fixable"), { answers: ["abort"] });
  expect(over).toMatchObject({ status: "error", exit: 1, reason: "phase 1: no retry left for fixable" });
  expect(commits(over)).toEqual([]);
});

const runReplan = (more: object) =>
  createProposal({ phases: [phase(1, 1, more), phase(2, 2)], complexity_tier: "SMALL" });
const replan = (plan: object, more: object = {}) =>
  play({
    parts: {
      Planner: turns(plans(SMALL), plans(plan)),
      CoreImplementer: turns(fails("needs_replan"), good),
    },
    ...more,
  });

test("[P-51] a replan of the failed phase alone continues with it once it is approved", async () => {
  const played = await replan(runReplan({ objective: "Another way" }));
  expect(played.status).toBe("done");
  expect(inputsOf(played, "CoreImplementer")[1]).toMatchObject({ task_definition: { objective: "Another way" } });
  expect(asked(played, "Phase 1 was replanned")).toBeDefined();
  expect(phasesOf(played).filter((title) => title === "PLANNING")).toHaveLength(1);
});

test("[P-51] a replan that changes another phase returns to planning and a new approval", async () => {
  const other = createProposal({
    phases: [phase(1, 1), phase(2, 2, { objective: "Changed too" })],
    complexity_tier: "SMALL",
  });
  const played = await replan(other, { approvals: "interactive", answers: ["approve", "y"] });
  const states = phasesOf(played);
  expect(states.lastIndexOf("PLANNING")).toBeGreaterThan(states.indexOf("ACTING"));
  expect(played.status).toBe("waiting");
  expect(sentTo(played, "CoreImplementer")).toHaveLength(1);
  const open = played.records.findLast((each) => each.type === "approval.requested");
  expect(open?.title).toContain("plan");
});

test("[P-51] a replan that is not a valid plan is not executed", async () => {
  const nobody = runReplan({ executor_agent: "Somebody" });
  const played = await replan(nobody);
  expect(played.status).toBe("waiting");
  expect(sentTo(played, "CoreImplementer")).toHaveLength(1);
});

const KEPT = ["task_definition", "findings", "choices", "decisions", "safety"];

test("[P-73] a payload refused for its length is sent again with the essentials only", async () => {
  const played = await play({ parts: { Planner: plans(SMALL), CoreImplementer: turns(good, () => tooLong, good) } });
  const [, first, second] = inputsOf(played, "CoreImplementer");
  expect(first).toHaveProperty("background");
  expect(second).not.toHaveProperty("background");
  expect(second).not.toHaveProperty("fix_hint");
  for (const field of KEPT) expect(second?.[field]).toEqual(first?.[field]);
  expect(played.status).toBe("done");
});

test("[P-73] three refusals in a row are retried, the fourth waits for a person", async () => {
  const borne = await run(
    turns(
      () => tooLong,
      () => tooLong,
      () => tooLong,
      good,
    ),
  );
  expect(borne.status).toBe("done");
  const stuck = await run(() => tooLong);
  expect(tries(stuck)).toBe(4);
  expect(stuck.status).toBe("waiting");
  expect(escalation(stuck)?.show).toMatchObject([
    { attempts: [{ class: "escalate", reason: "the agent refuses even the shortest payload" }] },
  ]);
});

test("of two conflicting phases the later is repeated on top of the other, with the paths", async () => {
  const both = createProposal({ phases: [phase(1, 1), phase(2, 1)], complexity_tier: "SMALL" });
  const clash = (request: AttemptRequest): Play => {
    const made = good(request);
    return "files" in made ? { ...made, contract: { ...made.contract, facts: [] } } : made;
  };
  let merges = 0;
  const played = await play({
    parts: { Planner: plans(both), CoreImplementer: clash },
    perform: (effect, paper) => {
      if (effect.kind === "merge" && merges === 0) {
        merges += 1;
        return { clean: false, at: 1, conflicts: ["src/shared.ts"] };
      }
      return paper(effect);
    },
  });
  expect(played.status).toBe("done");
  expect(inputsOf(played, "CoreImplementer").map((input) => [input["phase_id"], input["fix_hint"]])).toEqual([
    [1, undefined],
    [2, undefined],
    [2, "conflicts in src/shared.ts"],
  ]);
});

test("two phases that are green alone and red together: the later is repeated on top of the other", async () => {
  const both = createProposal({ phases: [phase(1, 1), phase(2, 1)], complexity_tier: "SMALL" });
  const aware = builds(({ task, round, input }) =>
    task === "phase-2" && JSON.stringify(input).includes("together") ? "knows the other" : `alone ${round}`,
  );
  const played = await play({
    parts: { Planner: plans(both), CoreImplementer: aware },
    perform: (effect, paper) => {
      const result = paper(effect);
      if (effect.kind !== "check" || !Array.isArray(result)) return result;
      const text = Buffer.from(effect.request.tree.slice("tree-".length), "base64url").toString();
      const clash = text.includes("part-1") && text.includes("part-2") && !text.includes("knows");
      return clash ? result.map((each: { name: string }) => ({ ...each, exitCode: 1 })) : result;
    },
  });
  expect(played.status).toBe("done");
  expect(inputsOf(played, "CoreImplementer").map((input) => [input["phase_id"], input["fix_hint"]])).toEqual([
    [1, undefined],
    [2, undefined],
    [2, expect.stringContaining("together with the rest of its wave, build: regression")],
  ]);
});

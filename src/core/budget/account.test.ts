import { expect, test } from "vitest";
import { ASSUMED, buildAccount } from "./account.ts";

const WRITER = { phase: "1 Write", role: "writer" };
const READER = { phase: "2 Read", role: "reader" };

test("a dispatch counts from the moment it is reserved, so that branches see each other's", () => {
  const account = buildAccount([]);
  expect(account.hit({ dispatches: 1 }, WRITER, 0)).toBeUndefined();
  account.reserve("a@1", WRITER);
  expect(account.hit({ dispatches: 1 }, WRITER, 0)?.reason).toBe("the only dispatch of this run is used");
  account.settle("a@1", { usage: { usd: 1 } });
  expect(account.hit({ dispatches: 1 }, WRITER, 0)?.status).toBe("budget");
});

test("what is under way is held at the dearest that the role has cost, and released when it was cheaper", () => {
  const account = buildAccount([]);
  account.reserve("a@1", WRITER);
  account.settle("a@1", { usage: { usd: 2 } });
  account.reserve("b@1", WRITER);
  expect(account.hit({ usd: 5 }, WRITER, 0)?.reason).toBe(
    "this run has spent $4.00 of $5.00, $2.00 of it assumed; the next dispatch costs about $2.00",
  );
  account.settle("b@1", { usage: { usd: 0.5 } });
  expect(account.open()).toBe(0);
  expect(account.hit({ usd: 5 }, WRITER, 0)).toBeUndefined();
});

test("an attempt that does not say what it cost is never taken to be free", () => {
  const account = buildAccount([]);
  account.reserve("a@1", READER);
  account.settle("a@1", {});
  expect(account.hit({ usd: ASSUMED.usd }, READER, 0)?.reason).toContain("of it assumed");
  expect(account.hit({ usd: ASSUMED.usd * 2 }, READER, 0)).toBeUndefined();
  account.settle("a@1", { usage: { outputTokens: 10 } });
  expect(account.hit({ tokens: ASSUMED.tokens }, READER, 0)?.reason).toContain("of it assumed");
});

test("an agent that reports nothing spent has spent nothing", () => {
  const account = buildAccount([]);
  for (const effect of ["a@1", "b@1", "c@1"]) {
    account.reserve(effect, READER);
    account.settle(effect, { usage: { usd: 0, inputTokens: 0, outputTokens: 0 } });
  }
  expect(account.hit({ usd: 0.01, tokens: 1 }, READER, 0)).toBeUndefined();
});

test("a phase and a role have limits of their own", () => {
  const account = buildAccount([]);
  account.reserve("a@1", WRITER);
  account.settle("a@1", { usage: { usd: 3, inputTokens: 800, outputTokens: 200 }, ms: 4_000 });
  const phases = { "1 Write": { usd: 3 } };
  const roles = { reader: { dispatches: 1 }, writer: { tokens: 1_000 } };
  expect(account.hit({ phases }, WRITER, 0)?.reason).toMatch(/^the phase "1 Write" has spent \$3.00 of \$3.00/);
  expect(account.hit({ phases }, READER, 0)).toBeUndefined();
  expect(account.hit({ roles }, WRITER, 0)?.reason).toMatch(/^the role writer has spent 1000 tokens of 1000 tokens/);
  expect(account.hit({ roles }, READER, 0)).toBeUndefined();
  expect(account.hit({ roles: { writer: { timeMs: 4_000 } } }, WRITER, 0)).toEqual({
    status: "time",
    reason: "the role writer has worked 4 s of 4 s",
  });
});

test("what the journal says was spent is spent, whoever reads it", () => {
  const stamp = { v: 1, ts: 0, run: "r", chain: "" } as const;
  const dispatch = { key: "1 Write/writer", role: "writer", instance: "", round: 1, attempt: 1 };
  const account = buildAccount([
    {
      ...stamp,
      seq: 1,
      type: "step.started",
      key: dispatch.key,
      scope: "root",
      n: 0,
      verb: "agent",
      phase: "1 Write",
      print: "",
    },
    { ...stamp, seq: 2, type: "agent.started", ...dispatch, effect: "r/1 Write/writer@1", nonce: "n" },
    { ...stamp, seq: 3, type: "agent.finished", ...dispatch, outcome: "done", ms: 5, usage: { usd: 2 } },
  ]);
  expect(account.hit({ phases: { "1 Write": { usd: 2 } } }, WRITER, 0)?.status).toBe("budget");
  expect(account.open()).toBe(0);
});

test("a budget is asked about as quickly after fifty thousand silent dispatches as after five", () => {
  const account = buildAccount([]);
  for (let n = 0; n < 50_000; n += 1) {
    account.reserve(`${n}@1`, WRITER);
    account.settle(`${n}@1`, {});
    // Checked before each dispatch. Summing all of them every time would take hours.
    account.hit({ usd: 1_000_000, phases: { "1 Write": { usd: 1 } } }, WRITER, 0);
  }
  expect(account.hit({ usd: 50_000 * ASSUMED.usd }, WRITER, 0)?.reason).toMatch(/\$12500\.00 of it assumed/);
});

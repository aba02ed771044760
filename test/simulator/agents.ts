import type { Pipeline } from "../../src/core/authoring/pipeline.ts";
import type { Role } from "../../src/core/authoring/role.ts";
import { QUOTA_CODE } from "../../src/core/budget/quota.ts";
import { readContract } from "../../src/core/contract/read.ts";
import { shapeOf } from "../../src/core/contract/shape.ts";
import { writeContract } from "../../src/core/contract/write.ts";
import type { Failure } from "../../src/core/failure/failure.ts";
import type { AttemptRequest, AttemptResult, Effect, Usage } from "../../src/core/journal/effect.ts";
import type { Json } from "../../src/core/text/json.ts";
import type { Chance } from "./chance.ts";
import { type FileHabit, withHabit } from "./files.ts";
import type { Trees } from "./trees.ts";
import { varied } from "./vary.ts";

/** Value that a signed role must return; it must not appear anywhere else. */
export const SIGNATURE = "sig-7c1f-of-the-definition";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Time limit of an agent before it is stopped. */
const PATIENCE = 30 * MINUTE;

/** Course of an attempt, which is fixed before it starts. */
export type Plan = {
  readonly habit: string;
  readonly ms: number;
  readonly result: AttemptResult;
  /** True if the answer is no contract for any reader. */
  readonly unreadable: boolean;
};

export type Cast = {
  readonly pipeline: Pipeline;
  /** Answers and files of the scenario's agents. */
  readonly play: (effect: Effect<"attempt">) => AttemptResult;
  readonly trees: Trees;
  /** Probability that an agent misbehaves. */
  readonly mischief: number;
  readonly now: () => number;
};

/** Weights of the kinds of misbehavior. */
const HABITS = {
  varies: 40,
  fails: 8,
  "fails for good": 4,
  hangs: 4,
  "is late": 8,
  "is refused by its provider": 4,
  "has used up its window": 4,
  "says garbage": 4,
  "says half": 4,
  "says it twice": 3,
  "says it to another": 3,
  "signs wrongly": 3,
  "changes nothing": 8,
  "writes outside": 6,
  "weakens a test": 6,
  "breaks the build": 8,
  "leaves half a file": 4,
} as const;
type Habit = keyof typeof HABITS | "does its part";

export function planOf(cast: Cast, effect: Effect<"attempt">, chance: Chance): Plan {
  const habit: Habit = chance.odds(cast.mischief) ? chance.weighed(HABITS) : "does its part";
  const ms =
    habit === "hangs" ? PATIENCE : chance.magnitude(habit === "is late" ? 10 * MINUTE : SECOND, getTimeLimit(habit));
  const usage = chance.odds(0.9) ? { usage: { usd: chance.magnitude(1, 60) / 100 } } : {};
  const given = answerOf(cast, effect, { habit, chance });
  return { habit, ms, ...given, result: withCosts(given.result, ms, usage) };
}

const getTimeLimit = (habit: Habit): number => (habit === "is late" ? PATIENCE : 5 * MINUTE);

function withCosts(result: AttemptResult, ms: number, usage: { usage?: Usage }): AttemptResult {
  return result.outcome === "interrupted" ? result : { ...result, ms, ...usage };
}

type Deviation = { readonly result: AttemptResult; readonly unreadable: boolean };
type Course = { readonly habit: Habit; readonly chance: Chance };

function answerOf(cast: Cast, effect: Effect<"attempt">, how: Course): Deviation {
  const readable = (result: AttemptResult): Deviation => ({ result, unreadable: false });
  if (how.habit === "has used up its window") return readable(failByQuota(cast, how.chance));
  const failure = FAILURES[how.habit];
  if (failure) return readable({ outcome: "failed", failure, ms: 0 });
  const good = cast.play(effect);
  if (good.outcome !== "done") return readable(good);
  const role = cast.pipeline.roles.find((each) => each.name === effect.request.role);
  if (!role) throw new Error(`${cast.pipeline.name} has no role ${effect.request.role}`);
  const talk = TALKS[how.habit];
  if (talk) return distortAnswer(cast, effect.request, { role, text: talk, contract: good.contract });
  if (how.habit === "varies") return readable(varyAnswer(role, good, how.chance));
  return readable(withHabit(cast.trees, effect.request, { good, habit: how.habit as FileHabit, chance: how.chance }));
}

const failed = (kind: Failure["class"], code: string): Failure => ({
  class: kind,
  code,
  message: `the agent: ${code}`,
});

const FAILURES: Partial<Record<Habit, Failure>> = {
  fails: failed("transient", "agent_crashed"),
  "fails for good": failed("deterministic", "agent_refused"),
  hangs: failed("transient", "timeout"),
  "is refused by its provider": failed("transient", "rate_limited"),
};

/**
 * Most limits name their reset time, soon enough for an engine that polls every second; some attempts could use
 * another agent.
 */
function failByQuota({ now }: Cast, chance: Chance): AttemptResult {
  const wakeAt = chance.odds(0.8) ? { wakeAt: now() + chance.magnitude(MINUTE, 90 * MINUTE) } : {};
  const instead = chance.odds(0.5) ? { instead: "another" } : {};
  return { outcome: "failed", failure: { ...failed("deterministic", QUOTA_CODE), ...wakeAt }, ms: 0, ...instead };
}

/** Text in place of the single contract; `written` renders it for a nonce and a signature. */
type Distortion = (written: (nonce: string, signature?: string) => string, nonce: string) => string;
const TALKS: Partial<Record<Habit, Distortion>> = {
  "says garbage": () => "All tests pass and everything is done: I have checked it twice.",
  "says half": (written, nonce) => written(nonce).slice(0, Math.floor(written(nonce).length / 2)),
  "says it twice": (written, nonce) => `${written(nonce)}\n\n${written(nonce)}`,
  "says it to another": (written) => written("0000000000"),
  "signs wrongly": (written, nonce) => written(nonce, "somebody else"),
};

type AgentReply = {
  readonly role: Role<unknown, unknown, boolean>;
  readonly text: Distortion;
  readonly contract: Json;
};

function distortAnswer(
  { pipeline }: Cast,
  { nonce }: AttemptRequest,
  { role, text: talk, contract }: AgentReply,
): Deviation {
  const { dialect } = pipeline;
  const said = talk(
    (to, signature = SIGNATURE) =>
      writeContract({ dialect, value: contract, nonce: to, ...(role.signed ? { signature } : {}) }),
    nonce,
  );
  const signed = role.signed ? { signature: SIGNATURE } : {};
  const reading = readContract({ dialect, text: said, nonce, schema: role.contract, ...signed });
  // Half of a line may still be a line, and a role without a signature cannot get it wrong.
  const unreadable = talk !== TALKS["says half"] && (talk !== TALKS["signs wrongly"] || role.signed);
  if (reading.ok) return { result: { outcome: "done", contract: reading.value, ms: 0 }, unreadable };
  const { code, message } = reading;
  return { result: { outcome: "failed", failure: { class: "contract", code, message }, ms: 0 }, unreadable };
}

type Done = Extract<AttemptResult, { outcome: "done" }>;

/** The schema decides whether a varied answer is valid, as with a real one. */
function varyAnswer(role: Role<unknown, unknown, boolean>, good: Done, chance: Chance): AttemptResult {
  const parsed = role.contract.safeParse(varied(good.contract, shapeOf(role.contract), chance));
  // Contracts are JSON; the journal refuses a schema that yields anything else.
  if (parsed.success) return { ...good, contract: parsed.data as Json };
  const message = `The contract does not match its schema: ${parsed.error.issues.map((issue) => issue.path.join(".")).join(", ")}`;
  return { outcome: "failed", failure: { class: "contract", code: "contract_invalid", message }, ms: 0 };
}

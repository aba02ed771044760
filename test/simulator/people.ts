import type { Limits } from "../../src/core/budget/budget.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { Signal } from "../../src/core/ports/host.ts";
import type { Chance } from "./chance.ts";
import type { Clock } from "./clock.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** After so many questions a person has had enough. */
const PATIENCE = 10;

type ApprovalRequest = JournalRecord<"approval.requested">;

export type People = {
  /** Somebody sees the question and will answer it: late, twice, or first wrongly. */
  see(question: ApprovalRequest): void;
  /** Somebody lets a parked run go on, with more of what it had run out of. */
  letGoOn(limits: Limits): void;
  /** The answer that surely fits, for a question that nobody has answered. */
  answer(question: ApprovalRequest): void;
};

export function createPeople(parts: {
  readonly chance: Chance;
  readonly clock: Clock;
  /** How often a person takes another way than the first one offered. */
  readonly whim: number;
  readonly post: (signal: Signal) => void;
}): People {
  const { chance, clock, post, whim } = parts;
  let seen = 0;
  const reply = (question: ApprovalRequest): Signal => {
    const { approval, hash, choices, words = [], pause } = question;
    if (pause) return { kind: "resume", by: "ada" };
    const choice = chance.odds(whim) ? chance.pick(choices) : (choices[0] ?? "");
    // Without words such a choice is no answer.
    const note = chance.odds(0.2) || words.includes(choice) ? { note: "look at the tests again" } : {};
    return { kind: "answer", approval, hash, choice, by: chance.pick(["ada", "grace"]), ...note };
  };
  /** What no engine may take for an answer. */
  const wrong = ({ approval, hash, choices }: ApprovalRequest): Signal => {
    const how = chance.weighed({ stale: 3, unknown: 2, nobody: 1 });
    const answer = { kind: "answer", approval, hash, choice: choices[0] ?? "", by: "mallory" } as const;
    if (how === "stale") return { ...answer, hash: "0".repeat(64) };
    return how === "unknown" ? { ...answer, choice: "whatever" } : { ...answer, approval: "a-00000000" };
  };
  return {
    see(question) {
      seen += 1;
      if (seen > PATIENCE) {
        clock.after(SECOND, () => post({ kind: "cancel", by: "ada", note: "enough" }));
        return;
      }
      const after = chance.magnitude(SECOND, 20 * MINUTE);
      if (!question.pause && chance.odds(0.15)) clock.after(after / 2, () => post(wrong(question)));
      clock.after(after, () => post(reply(question)));
      if (chance.odds(0.1)) clock.after(after + chance.between(0, 2_000), () => post(reply(question)));
    },
    letGoOn(limits) {
      const { dispatches, usd, timeMs } = limits;
      const more = {
        ...(dispatches && { dispatches: dispatches * 3 }),
        ...(usd && { usd: usd * 3 }),
        ...(timeMs && { timeMs: timeMs * 3 }),
      };
      const letter = chance.odds(0.15)
        ? ({ kind: "cancel", by: "ada" } as const)
        : ({ kind: "resume", by: "ada", limits: more } as const);
      clock.after(chance.magnitude(SECOND, 20 * MINUTE), () => post(letter));
    },
    answer: (question) => post(reply(question)),
  };
}

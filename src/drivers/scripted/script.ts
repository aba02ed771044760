import { z } from "zod";
import { Json } from "../../core/text/json.ts";

/** Deliberate misbehavior. Kinds with a number take it after a colon. */
const MISBEHAVIORS = [
  "hang",
  "crash",
  "exit:N",
  "flood:BYTES",
  "garbage",
  "half-contract",
  "no-contract",
  "two-contracts",
  "wrong-signature",
  "429",
  "used-up:SECONDS",
  "empty",
  "setsid-child",
  "drip",
] as const;

const NUMBERED = /^(exit:\d{1,3}|flood:\d{1,12}|used-up:\d{1,6})$/;
const PLAIN = new Set<string>(MISBEHAVIORS.filter((kind) => !kind.includes(":")));

/** YAML parses `429` and `task: 12` as numbers; the text is meant. */
const text = z.preprocess((value) => (typeof value === "number" ? String(value) : value), z.string());

const misbehavior = text.refine((kind) => PLAIN.has(kind) || NUMBERED.test(kind), {
  error: `expected one of ${MISBEHAVIORS.join(", ")}`,
});

const Write = z.strictObject({
  path: z.string().min(1),
  content: z.string(),
  encoding: z.enum(["utf8", "base64"]).optional(),
});

const Action = z
  .strictObject({
    write: Write.optional(),
    delete: z.string().min(1).optional(),
    run: z.string().min(1).optional(),
    sleep: z.number().int().min(0).optional(),
    misbehave: misbehavior.optional(),
  })
  .refine((action) => Object.keys(action).length === 1, {
    error: "expected exactly one of write, delete, run, sleep, misbehave",
  });
export type Action = z.infer<typeof Action>;

const amount = z.number().min(0);
const Usage = z.strictObject({
  usd: amount.optional(),
  inputTokens: amount.optional(),
  outputTokens: amount.optional(),
});

const Rule = z
  .strictObject({
    role: text.optional(),
    /** The exact step key, for dispatches that are otherwise identical. */
    key: z.string().optional(),
    pipeline: text.optional(),
    phase: text.optional(),
    instance: text.optional(),
    task: text.optional(),
    round: z.number().int().min(0).optional(),
    attempt: z.number().int().min(0).optional(),
    do: z.array(Action).optional(),
    output: Json.optional(),
    reply: z.string().optional(),
    /** The reported cost of the turn; zero by default, which is true. */
    usage: Usage.optional(),
  })
  .refine((rule) => rule.output === undefined || rule.reply === undefined, {
    error: "expected output or reply, not both",
  });
export type ScriptRule = z.infer<typeof Rule>;

export const ScriptFile = z.strictObject({ agents: z.array(Rule) });

/** The known keys per place, for suggestions. */
export const KNOWN_KEYS = {
  file: ["agents"],
  rule: ["role", "key", "pipeline", "phase", "instance", "task", "round", "attempt", "do", "output", "reply", "usage"],
  action: ["write", "delete", "run", "sleep", "misbehave"],
  write: ["path", "content", "encoding"],
} as const;

export type Script = {
  /** The source of the script, for messages. */
  readonly file: string;
  readonly agents: readonly ScriptRule[];
};

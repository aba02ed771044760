import { z } from "zod";
import { type Failure, SAID_CHARACTERS } from "../core/failure/failure.ts";
import {
  AUTH,
  CONNECTION,
  CONTEXT_FULL,
  type Kind,
  NAMES,
  NO_MODEL,
  OVERLOADED,
  PROSE,
  QUOTA,
  QUOTA_EXHAUSTED,
  RATE_LIMIT,
  REFUSED,
} from "./failure-words.ts";
import { wakeTime } from "./wake-time.ts";

/** What an agent or its model said about a turn that failed. */
export type FailureReport = {
  readonly message: string;
  /** An HTTP status that came as a number of its own. */
  readonly status?: number | undefined;
  /** The name that the agent or the API gives this kind of failure. */
  readonly kind?: string | undefined;
  /** When it ends, in milliseconds, where that came as a number of its own. */
  readonly wakeAt?: number | undefined;
};

/**
 * | said                                           | class         | code           |
 * |------------------------------------------------|---------------|----------------|
 * | a usage window or a balance is used up, 402, or 429 for longer than ten minutes | deterministic | quota |
 * | 401, 403, not logged in, no key or a wrong one | deterministic | auth           |
 * | 429, or a used-up window that ends soon        | transient     | rate_limit     |
 * | 408, 5xx, 529, overloaded                      | transient     | overloaded     |
 * | the connection broke                           | transient     | connection     |
 * | the conversation no longer fits the model      | deterministic | context_full   |
 * | no model of that name, or not for this account | deterministic | model_unavailable |
 * | any other 4xx, or a request found invalid      | deterministic | model_refused  |
 * | the conversation to go on with is not there    | deterministic | session_missing |
 * | the program does not know its arguments        | deterministic | agent_usage    |
 * | the agent's own limit of turns, or of money    | limit         | turn_limit, agent_budget |
 * | nothing that is known                          | transient     | turn_failed    |
 *
 * What repeating the same request cannot mend is deterministic. `wakeAt` says when it could, where that was said.
 */
export function reportedFailure(agent: string, report: FailureReport, now: number): Failure {
  const plain = unwrapped(report);
  const { message } = plain;
  const wakeAt = report.wakeAt ?? wakeTime(report.message, now);
  const kind = kindOf(plain);
  return {
    ...byLength(kind, wakeAt === undefined ? undefined : wakeAt - now),
    message: `${agent}: ${message.slice(0, SAID_CHARACTERS)}`,
    ...(wakeAt === undefined ? {} : { wakeAt }),
  };
}

/** What it is called does not tell a short burst from a used-up window; how long it lasts does. */
function byLength(kind: Kind, lastsMs: number | undefined): Kind {
  if (lastsMs === undefined || (kind !== QUOTA && kind !== RATE_LIMIT)) return kind;
  return lastsMs <= SOON_MS ? RATE_LIMIT : QUOTA;
}

/** The failure that a text clearly speaks of, for words that need not be about one. */
export function knownFailure(agent: string, text: string, now: number): Failure | undefined {
  const known = PROSE.some(([pattern]) => pattern.test(text)) || statusIn(text) !== undefined;
  return known ? reportedFailure(agent, { message: text }, now) : undefined;
}

/**
 * The failure that stands where an answer was expected: several programs end a turn whose request was refused like any
 * other, and leave only what they were told. It must be short and begin like one: answers speak of failures too.
 */
export function disguisedFailure(agent: string, text: string, now: number): Failure | undefined {
  const plain = text.trim();
  if (plain.length > MOST_CHARACTERS || !OPENING.test(plain)) return undefined;
  return knownFailure(agent, plain, now);
}

/** Longer texts are somebody's answer. */
const MOST_CHARACTERS = 500;

const OPENING = new RegExp(
  `^(?:\\W*|\\w+: )(?:\\w+ )?(?:${[
    ...[
      "error\\b",
      "http\\b",
      "status \\d",
      "request failed",
      "ran into this error",
      "unexpected status",
      "[45]\\d\\d\\b",
    ],
    ...["you(?:'|’)ve (?:hit|reached|exceeded)", "you have (?:hit|reached|exceeded)", "usage limit", "rate limit"],
    ...["too many requests", "overloaded", "unauthorized", "not logged in", "(?:invalid|missing|incorrect) api key"],
    ...["api key (?:not|is)", "oauth token", "please run /login", "authentication (?:required|failed)", "llm not set"],
    ...["no provider configured", "credit balance", "insufficient (?:balance|credits?)", "payment required"],
  ].join("|")})`,
  "i",
);

/** A window that ends sooner than this is worth waiting for within a step. */
const SOON_MS = 10 * 60_000;

const UNKNOWN: Kind = { class: "transient", code: "turn_failed" };

function kindOf({ message, status, kind }: FailureReport): Kind {
  const named = NAMES.find(([name]) => name.test(kind ?? ""))?.[1];
  // A used-up window comes with the same status and name as a short burst; only the words tell them apart.
  if (QUOTA_EXHAUSTED.test(message)) return QUOTA;
  const known = PROSE.find(([pattern]) => pattern.test(message))?.[1];
  // Some give every broken stream as an error of the server, and a full context as just another bad request.
  if (known === CONNECTION || known === CONTEXT_FULL) return known;
  const number = status ?? statusIn(message);
  // Its own status and name are those of any bad request, and so are those of a wrong key with some.
  const refused = number === undefined || kindOfStatus(number) === REFUSED;
  if ((known === NO_MODEL || known === AUTH) && refused && (named === undefined || named === REFUSED)) return known;
  if (named) return named;
  return number === undefined ? (known ?? UNKNOWN) : kindOfStatus(number);
}

/** Only a number that is clearly meant as one: addresses and answers have numbers too. */
function statusIn(message: string): number | undefined {
  const text = message.replaceAll(/\bhttps?:\/\/\S+/g, "");
  const found =
    /\b(?:unexpected status|last status:|status(?: code)?:?|API Error:|HTTP(?: error)?:?|rejected|error:?|required:) \(?([45]\d\d)\b/i.exec(
      text,
    ) ?? /"(?:code|status|statusCode)":\s*([45]\d\d)\b/.exec(text);
  return found ? Number(found[1]) : undefined;
}

function kindOfStatus(status: number): Kind {
  if (status === 401 || status === 403) return AUTH;
  if (status === 402) return QUOTA;
  if (status === 429) return RATE_LIMIT;
  if (status >= 500 || status === 408) return OVERLOADED;
  return REFUSED;
}

const ErrorBody = z.object({
  error: z.object({
    message: z.string(),
    type: z.string().optional(),
    status: z.string().optional(),
    code: z.union([z.number(), z.string()]).nullish(),
  }),
});

/** A failed request often comes as the bare body of its answer; one that says no more was found invalid. */
function unwrapped({ message, status, kind }: FailureReport): FailureReport {
  const error = bodyOf(message)?.error;
  if (!error) return { message: message.trim(), status, kind };
  const number = Number(error.code);
  return {
    message: error.message,
    status: status ?? (number >= 400 && number < 600 ? number : undefined),
    kind: kind ?? (error.code === "model_not_found" ? error.code : error.type) ?? error.status ?? "invalid_request",
  };
}

function bodyOf(message: string): z.infer<typeof ErrorBody> | undefined {
  try {
    return ErrorBody.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}

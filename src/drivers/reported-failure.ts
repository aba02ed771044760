import { z } from "zod";
import { type Failure, SAID_CHARACTERS } from "../core/failure/failure.ts";
import {
  AUTH,
  CONNECTION,
  CONTEXT_FULL,
  type FailureKind,
  NAMES,
  NO_MODEL,
  OVERLOADED,
  PROSE,
  QUOTA,
  QUOTA_EXHAUSTED,
  RATE_LIMIT,
  REFUSED,
} from "./failure-patterns.ts";
import { parseWakeTime } from "./wake-time.ts";

/** The failure that an agent or its model reported for a turn. */
export type FailureReport = {
  readonly message: string;
  /** An HTTP status given as a separate number. */
  readonly status?: number | undefined;
  /** The agent's or API's name for this kind of failure. */
  readonly kind?: string | undefined;
  /** End of the limit in milliseconds, if given as a separate number. */
  readonly wakeAt?: number | undefined;
};

/**
 * Classifies a reported failure:
 *
 * | report                                         | class         | code           |
 * |------------------------------------------------|---------------|----------------|
 * | exhausted usage window or balance, 402, or 429 for longer than ten minutes | deterministic | quota |
 * | 401, 403, not logged in, missing or wrong key  | deterministic | auth           |
 * | 429, or an exhausted window that ends soon     | transient     | rate_limit     |
 * | 408, 5xx, 529, overloaded                      | transient     | overloaded     |
 * | the connection broke                           | transient     | connection     |
 * | the conversation no longer fits the model      | deterministic | context_full   |
 * | model unknown, or not available to the account | deterministic | model_unavailable |
 * | any other 4xx, or an invalid request           | deterministic | model_refused  |
 * | the conversation to resume does not exist      | deterministic | session_missing |
 * | the program does not know its arguments        | deterministic | agent_usage    |
 * | the agent's own limit of turns or money        | limit         | turn_limit, agent_budget |
 * | anything else                                  | transient     | turn_failed    |
 *
 * A failure that repeating the request cannot fix is deterministic. `wakeAt` is the time when it could, if reported.
 */
export function reportedFailure(agent: string, report: FailureReport, now: number): Failure {
  const plain = unwrapBody(report);
  const { message } = plain;
  const wakeAt = report.wakeAt ?? parseWakeTime(report.message, now);
  const kind = classifyReport(plain);
  return {
    ...adjustByDuration(kind, wakeAt === undefined ? undefined : wakeAt - now),
    message: `${agent}: ${message.slice(0, SAID_CHARACTERS)}`,
    ...(wakeAt === undefined ? {} : { wakeAt }),
  };
}

/** The name does not distinguish a short burst from an exhausted window; the duration does. */
function adjustByDuration(kind: FailureKind, lastsMs: number | undefined): FailureKind {
  if (lastsMs === undefined || (kind !== QUOTA && kind !== RATE_LIMIT)) return kind;
  return lastsMs <= SOON_MS ? RATE_LIMIT : QUOTA;
}

/** Returns the failure that a text clearly describes, for texts that may be about something else. */
export function knownFailure(agent: string, text: string, now: number): Failure | undefined {
  const known = PROSE.some(([pattern]) => pattern.test(text)) || parseStatus(text) !== undefined;
  return known ? reportedFailure(agent, { message: text }, now) : undefined;
}

/**
 * Returns the failure in a text that should be an answer: several programs end a refused turn normally and print only
 * the error. The text must be short and start like an error, because answers discuss failures too.
 */
export function findDisguisedFailure(agent: string, text: string, now: number): Failure | undefined {
  const plain = text.trim();
  if (plain.length > MOST_CHARACTERS || !OPENING.test(plain)) return undefined;
  return knownFailure(agent, plain, now);
}

/** Longer texts are answers. */
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

/** A step waits for a window that ends sooner than this. */
const SOON_MS = 10 * 60_000;

const UNKNOWN: FailureKind = { class: "transient", code: "turn_failed" };

function classifyReport({ message, status, kind }: FailureReport): FailureKind {
  const named = NAMES.find(([name]) => name.test(kind ?? ""))?.[1];
  // An exhausted window has the same status and name as a short burst; only the text differs.
  if (QUOTA_EXHAUSTED.test(message)) return QUOTA;
  const known = PROSE.find(([pattern]) => pattern.test(message))?.[1];
  // Some programs report a broken stream as a server error and a full context as a bad request.
  if (known === CONNECTION || known === CONTEXT_FULL) return known;
  const number = status ?? parseStatus(message);
  // An unknown model has the status and name of any bad request, and with some programs so does a wrong key.
  const refused = number === undefined || classifyStatus(number) === REFUSED;
  if ((known === NO_MODEL || known === AUTH) && refused && (named === undefined || named === REFUSED)) return known;
  if (named) return named;
  return number === undefined ? (known ?? UNKNOWN) : classifyStatus(number);
}

/** Matches only numbers that are clearly a status, because addresses and answers contain numbers too. */
function parseStatus(message: string): number | undefined {
  const text = message.replaceAll(/\bhttps?:\/\/\S+/g, "");
  const found =
    /\b(?:unexpected status|last status:|status(?: code)?:?|API Error:|HTTP(?: error)?:?|rejected|error:?|required:) \(?([45]\d\d)\b/i.exec(
      text,
    ) ?? /"(?:code|status|statusCode)":\s*([45]\d\d)\b/.exec(text);
  return found ? Number(found[1]) : undefined;
}

function classifyStatus(status: number): FailureKind {
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

/** Extracts the error from a JSON response body. An error without a type is an invalid request. */
function unwrapBody({ message, status, kind }: FailureReport): FailureReport {
  const error = parseBody(message)?.error;
  if (!error) return { message: message.trim(), status, kind };
  const number = Number(error.code);
  return {
    message: error.message,
    status: status ?? (number >= 400 && number < 600 ? number : undefined),
    kind: kind ?? (error.code === "model_not_found" ? error.code : error.type) ?? error.status ?? "invalid_request",
  };
}

function parseBody(message: string): z.infer<typeof ErrorBody> | undefined {
  try {
    return ErrorBody.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}

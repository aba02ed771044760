import { z } from "zod";
import type { Failure } from "../../core/failure.ts";

/**
 * Codex gives its failures as prose: an HTTP status where it kept one, a fixed sentence where it did not.
 * What repeating the same request cannot mend is deterministic; a full quota is, because it lasts for hours.
 */
export function codexFailure(agent: string, message: string): Failure {
  const kind = kindOf(message);
  return { ...kind, message: `${agent}: ${sentenceOf(message).slice(0, MESSAGE_CHARACTERS)}` };
}

/** The failure that a text clearly speaks of, for words on standard error that need not be one. */
export function knownCodexFailure(agent: string, text: string): Failure | undefined {
  return PROSE.some(([pattern]) => pattern.test(text)) ? codexFailure(agent, text) : undefined;
}

type Kind = Pick<Failure, "class" | "code">;

const MESSAGE_CHARACTERS = 500;
const AUTH: Kind = { class: "deterministic", code: "auth" };
const RATE_LIMIT: Kind = { class: "transient", code: "rate_limit" };
const OVERLOADED: Kind = { class: "transient", code: "overloaded" };
const REFUSED: Kind = { class: "deterministic", code: "model_refused" };

const PROSE: readonly (readonly [RegExp, Kind])[] = [
  [/hit your usage limit|quota exceeded|upgrade to plus/i, { class: "deterministic", code: "quota" }],
  [/ran out of room|context window/i, { class: "deterministic", code: "context_full" }],
  [/missing environment variable|sign in again|not logged in|refresh token/i, AUTH],
  [/rate limit/i, RATE_LIMIT],
  [/high demand|at capacity|capacity (is )?unavailable|overloaded/i, OVERLOADED],
  [
    /stream disconnected|connection failed|error sending request|idle timeout|network error/i,
    { class: "transient", code: "connection" },
  ],
  [
    /error loading config|provider `.*` not found|unexpected argument|invalid value/i,
    { class: "deterministic", code: "agent_usage" },
  ],
];

function kindOf(message: string): Kind {
  // Only a status that Codex itself names: addresses and answers have numbers too.
  const status = Number(/\b(?:unexpected status|last status:) (\d{3})\b/.exec(message)?.[1]);
  if (status) return kindOfStatus(status);
  const known = PROSE.find(([pattern]) => pattern.test(message))?.[1];
  if (known) return known;
  // A request that the API finds invalid comes back as the bare body of its answer.
  return message.trimStart().startsWith("{") ? REFUSED : { class: "transient", code: "turn_failed" };
}

function kindOfStatus(status: number): Kind {
  if (status === 401 || status === 403) return AUTH;
  if (status === 429) return RATE_LIMIT;
  if (status >= 500 || status === 408) return OVERLOADED;
  return REFUSED;
}

const ErrorBody = z.object({ error: z.object({ message: z.string() }) });

function sentenceOf(message: string): string {
  try {
    return ErrorBody.parse(JSON.parse(message)).error.message;
  } catch {
    return message.trim();
  }
}

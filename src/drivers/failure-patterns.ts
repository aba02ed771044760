import { QUOTA_CODE } from "../core/budget/quota.ts";
import type { Failure } from "../core/failure/failure.ts";

export type FailureKind = Pick<Failure, "class" | "code">;

export const QUOTA: FailureKind = { class: "deterministic", code: QUOTA_CODE };
export const AUTH: FailureKind = { class: "deterministic", code: "auth" };
export const RATE_LIMIT: FailureKind = { class: "transient", code: "rate_limit" };
export const OVERLOADED: FailureKind = { class: "transient", code: "overloaded" };
export const CONNECTION: FailureKind = { class: "transient", code: "connection" };
export const CONTEXT_FULL: FailureKind = { class: "deterministic", code: "context_full" };
export const REFUSED: FailureKind = { class: "deterministic", code: "model_refused" };
export const NO_MODEL: FailureKind = { class: "deterministic", code: "model_unavailable" };
const NO_SESSION: FailureKind = { class: "deterministic", code: "session_missing" };
const USAGE: FailureKind = { class: "deterministic", code: "agent_usage" };

/** Failure names that programs and APIs use. */
export const NAMES: readonly (readonly [RegExp, FailureKind])[] = [
  [/^(?:billing_error|insufficient_quota|usage_limit_reached)$/, QUOTA],
  [
    /^(?:authentication_(?:failed|error)|invalid_authentication_error|permission_error|oauth_org_not_allowed|unauthenticated|permission_denied)$/i,
    AUTH,
  ],
  [/^(?:rate_limit(?:_error|_exceeded)?|resource_exhausted)$/i, RATE_LIMIT],
  [/^(?:overloaded(?:_error)?|server_error|api_error|unavailable|internal)$/i, OVERLOADED],
  [/^(?:model_not_found|model_not_supported)$/i, NO_MODEL],
  [/^(?:invalid_request(?:_error)?|not_found_error|invalid_argument|max_output_tokens|refusal)$/i, REFUSED],
  [/^(?:error_max_turns|max_turn_requests)$/, { class: "limit", code: "turn_limit" }],
  [/^error_max_budget_usd$/, { class: "limit", code: "agent_budget" }],
];

/** An exhausted usage window or balance. */
export const QUOTA_EXHAUSTED = matchAny(
  /usage limit|hit your (?:\w+ )?limit|limit reached|quota exceeded|exceeded your (?:current )?quota|quota will reset/,
  /upgrade to plus|out of (?:extra )?usage|no premium requests|(?:have|has) no quota|premium request allowance/,
  /credit balance is too low|insufficient (?:account )?(?:balance|credits?|funds)|(?:requires|need) more credits/,
  /out of credits|credits? (?:exhausted|used up|depleted)|payment required|billing hard limit|account is in good standing/,
);

/** Missing login, invalid key, or an account without access to the program. */
const LOCKED_OUT = matchAny(
  /missing environment variable|(?:sign|log) in again|signing in again|not logged in|(?:please )?run \/?login\b/,
  /please (?:run )?\/?login|refresh token|could not be refreshed|(?:invalid|missing|incorrect|no) (?:\w+ )?api[ _-]key/,
  /api[ _-]key (?:is )?(?:not (?:valid|found|set|available)|invalid|missing|required|expired|revoked)/,
  /must specify the \w+_key|set an auth method|(?:value not found|notfound)\W+\w+_(?:key|token|provider)\b/,
  /(?:invalid|expired) (?:access |oauth |auth )?token|token (?:has )?(?:expired|been revoked)|rejected oauth credentials/,
  /authentication (?:required|error|failed|method|information found)|invalid authentication|failed to authenticate/,
  /un(?:authorized|authenticated)\b|not (?:authenticated|authorized to use)|access denied by \w+ policy/,
  /no provider configured|llm not set|providerinit(?:ialization)?error|does not have access to claude|organization has been disabled/,
  /does not have copilot requests permission|verify your membership/,
);

/**
 * A model that is unknown or not available to the account. An unknown model provider is a configuration error instead.
 */
const UNKNOWN_MODEL = matchAny(
  /\bmodels?\b(?! provider)[^\n]{0,80}?(?:does not exist|may not exist|not found|not exist\b|is not supported|not available)/,
  /(?:not a valid|unknown|no such) model\b(?! provider)|^model: \S+$|providermodelnotfounderror/,
  /access to (?:the )?model\b[^\n]{0,80}? denied|(?:not|n't) have access to (?:the )?model\b/,
);

/** Text patterns by kind; the first match counts. */
export const PROSE: readonly (readonly [RegExp, FailureKind])[] = [
  [QUOTA_EXHAUSTED, QUOTA],
  [/ran out of room|context window|prompt is too long|context length|maximum context/i, CONTEXT_FULL],
  [LOCKED_OUT, AUTH],
  [/rate limit|too many requests/i, RATE_LIMIT],
  [/high demand|at capacity|capacity (?:is )?unavailable|overloaded|server error/i, OVERLOADED],
  [
    /stream disconnected|connection (?:failed|error|to the api was lost)|error sending request|idle timeout|network error|stream decode error|fetch failed|socket hang up|econn(?:reset|refused)|^terminated$/i,
    CONNECTION,
  ],
  [UNKNOWN_MODEL, NO_MODEL],
  [/no conversation found|session not found|no rollout found/i, NO_SESSION],
  [/error loading config|provider `.*` not found|unexpected argument|unknown option|invalid value/i, USAGE],
];

function matchAny(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "i");
}

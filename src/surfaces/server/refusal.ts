/**
 * Refusals of the server itself, before a command runs, with their HTTP status. Commands have their own error codes.
 */
export const REFUSALS = {
  WRONG_HOST: 421,
  WRONG_ORIGIN: 403,
  NO_UPGRADE: 400,
  TOKEN_MISSING: 401,
  TOKEN_WRONG: 401,
  CODE_WRONG: 401,
  TOO_MANY_FAILURES: 429,
  ROUTE_UNKNOWN: 404,
  METHOD_WRONG: 405,
  NOT_JSON: 415,
  TOO_LARGE: 413,
  REQUEST_INVALID: 400,
  KEY_REUSED: 422,
  TOO_MANY_STREAMS: 503,
  ANSWERED: 409,
  CONTENT_CHANGED: 409,
  UNKNOWN: 404,
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** A request that the server refuses, with a hint for the sender. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly hint: string;
  /** Additional fields of the response, next to the error. */
  readonly more: Readonly<Record<string, unknown>>;
  constructor(code: RefusalCode, message: string, hint: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.hint = hint;
    this.more = more;
  }
}

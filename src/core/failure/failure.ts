import { z } from "zod";

/**
 * Failure of a dispatch, as data. Transient failures may be retried, deterministic ones never; `contract` is an
 * unusable answer of the agent; `limit` is a limit of ours; `interrupted` means that the engine or its machine died,
 * which consumes no retry.
 */
export const FAILURE_CLASSES = ["transient", "deterministic", "contract", "interrupted", "limit", "canceled"] as const;

export const Failure = z.object({
  class: z.enum(FAILURE_CLASSES),
  code: z.string(),
  message: z.string(),
  /** Truncated last message of the agent, for people and for the next attempt. */
  last: z.string().optional(),
  /** Retrying before this time (in milliseconds) is useless, because a known limit of the agent's model ends then. */
  wakeAt: z.number().optional(),
});
export type Failure = z.infer<typeof Failure>;

/**
 * Returns the failure for pipelines, without a refused answer. The answer stays in the journal for people; in later
 * prompts and documents it would look valid. An empty answer is retained, because it is useful to know.
 */
export function removeLastMessage({ last, ...failure }: Failure): Failure {
  return last !== undefined && last.trim() === "" ? { ...failure, last } : failure;
}

/**
 * Returns whether the agent is not logged in or its program is missing. Only a person can fix that; every retry would
 * fail in the same way.
 */
export function isMissingPrerequisite({ code }: Pick<Failure, "code">): boolean {
  return code === "auth" || code === "agent_missing";
}

/**
 * Maximum length of the agent's message that a driver puts into a failure. It is far more than is stored, because
 * secrets are removed before the text is truncated: half a secret would not be recognized.
 */
export const SAID_CHARACTERS = 40_000;

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  /** `failure` is the last one. `failures` has all of them if there were several attempts. */
  | { readonly ok: false; readonly failure: Failure; readonly failures?: readonly Failure[] };

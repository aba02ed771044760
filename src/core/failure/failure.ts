import { z } from "zod";

/**
 * Why a dispatch failed, as data. Transient failures may be tried again, deterministic ones never;
 * contract failures are an agent's unusable answer; limit is a budget of ours;
 * interrupted means that the engine or its machine died, which is nobody's retry.
 */
export const FAILURE_CLASSES = ["transient", "deterministic", "contract", "interrupted", "limit", "canceled"] as const;

export const Failure = z.object({
  class: z.enum(FAILURE_CLASSES),
  code: z.string(),
  message: z.string(),
  /** What the agent last said, cut short: for people and for the next attempt. */
  last: z.string().optional(),
  /** Before this moment (milliseconds) another try is in vain: a limit of the agent's model is known to end then. */
  wakeAt: z.number().optional(),
});
export type Failure = z.infer<typeof Failure>;

/**
 * As pipelines get it. An answer that was refused stays in the journal for people: handed on, it would stand in later
 * prompts and documents as if it counted. That there was no word at all is worth knowing, and costs nothing.
 */
export function withoutLastWords({ last, ...failure }: Failure): Failure {
  return last !== undefined && last.trim() === "" ? { ...failure, last } : failure;
}

/**
 * Nothing about the work: the agent is not logged in, or its program is not there. Only a person can cure that, and
 * every other try would fail the same way.
 */
export function isLacking({ code }: Pick<Failure, "code">): boolean {
  return code === "auth" || code === "agent_missing";
}

/**
 * How much of what an agent said a driver puts into a failure. Far more than is kept: secrets are taken out before the
 * text is cut to what people read, because half a secret is not recognized any more.
 */
export const SAID_CHARACTERS = 40_000;

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  /** `failure` is the last one; `failures`, where several attempts were made, has all of them. */
  | { readonly ok: false; readonly failure: Failure; readonly failures?: readonly Failure[] };

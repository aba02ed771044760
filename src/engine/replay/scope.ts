import { AsyncLocalStorage } from "node:async_hooks";
import type { Semaphore } from "../semaphore.ts";

/**
 * The place where a verb is called: the body itself, a branch, a round or a named part. Verbs of one scope run strictly
 * one after the other, so the n-th verb of a scope is the same on every replay.
 */
export type Scope = {
  readonly id: string;
  /** The names between the phase and the step in a key. */
  readonly path: readonly string[];
  readonly round: number;
  /** The name of the innermost branch: the instance of a dispatch that names none. */
  readonly branch: string;
  readonly caps: readonly Semaphore[];
  readonly parent: Scope | undefined;
  /** The place in its parent at which it was opened. */
  readonly place: number;
  /** The names of the enclosing branches and parts, without rounds: the gates of one do not count for another. */
  readonly parts: readonly string[];
  /** True inside a round, or a part that repeats an earlier one. */
  readonly repeats: boolean;
  /** The id of the round that would follow this one. */
  readonly nextRound: string | undefined;
  phase: string | undefined;
  skipped: Set<string>;
  /** The number of verbs that were called here. */
  n: number;
  pending: string | undefined;
  closed: boolean;
  /** True after end() was called here or in a nested scope; a later verb means that end() was swallowed. */
  ended: boolean;
};

export const scopes = new AsyncLocalStorage<{ readonly run: string; readonly scope: Scope }>();

export function createRootScope(cap: Semaphore): Scope {
  return {
    id: "root",
    path: [],
    round: 1,
    branch: "",
    caps: [cap],
    parent: undefined,
    place: 0,
    parts: [],
    repeats: false,
    nextRound: undefined,
    phase: undefined,
    skipped: new Set(),
    n: 0,
    pending: undefined,
    closed: false,
    ended: false,
  };
}

export function createChildScope(
  parent: Scope,
  at: {
    readonly n: number;
    readonly name: string;
    readonly round?: number;
    readonly branch?: string;
    readonly cap?: Semaphore;
    /** The same work was done before, or will be done again. */
    readonly repeats?: boolean;
  },
): Scope {
  const repeats = at.repeats ?? false;
  return {
    id: `${parent.id}/${at.n}.${escapeKeyPart(at.name)}`,
    path: [...parent.path, escapeKeyPart(at.name)],
    round: at.round ?? parent.round,
    branch: at.branch ?? parent.branch,
    caps: at.cap ? [...parent.caps, at.cap] : parent.caps,
    parent,
    place: at.n,
    parts: repeats ? parent.parts : [...parent.parts, at.name],
    repeats: parent.repeats || repeats,
    nextRound: at.round === undefined ? undefined : `${parent.id}/${at.n}.${formatRoundName(at.round + 1)}`,
    phase: parent.phase,
    skipped: new Set(parent.skipped),
    n: 0,
    pending: undefined,
    closed: false,
    ended: false,
  };
}

/** Returns the place of a gate. All rounds count as one place, whatever their phase. */
export function getGatePlace({ repeats, phase = "", parts }: Scope): readonly string[] {
  return [repeats ? "" : phase, ...parts];
}

/** Escapes a name, so that it cannot look like two. */
export function escapeKeyPart(name: string): string {
  // Fast path: nearly every name is plain, and every step has two.
  if (!SPECIAL.test(name)) return name;
  return name.replaceAll("%", "%25").replaceAll("/", "%2F").replaceAll("#", "%23");
}

const SPECIAL = /[%/#]/;

export const formatRoundName = (round: number): string => `round-${round}`;

import type { z } from "zod";
import { SignalboxError } from "../failure/errors.ts";
import type { Failure } from "../failure/failure.ts";
import type { LedgerRow } from "../journal/ledger.ts";
import type { Finding } from "./finding.ts";
import type { Tree } from "./tree.ts";

/** What a dispatch was about, for what a role's contract turns into. */
export type DispatchAbout = {
  readonly instance: string;
  readonly round: number;
  readonly task: string;
  readonly input: unknown;
};

/** A reviewer's word as gates count it. Who said it, in which round and on which task comes from the engine. */
export type Verdict = {
  readonly passed: boolean;
  /** What it is about, where one answer judges several things; without it `review`. */
  readonly about?: string;
  /** The reviewer's own word for it; without it `approve` or `needs_revision`. */
  readonly word?: string;
  /** Of the worst that it names. */
  readonly severity?: Finding["severity"];
  readonly because?: string;
  readonly tree?: Tree;
};

type RoleCore<Contract, In> = {
  readonly name: string;
  /** One sentence for people, and the prompt of last resort. */
  readonly does: string;
  /** Who the agent is and how it works; a repository's own definition of the role replaces it. */
  readonly prompt?: string;
  /** What the pipeline needs of it whoever plays it: what it gets, what it leaves, what is read from where. Stays. */
  readonly protocol?: string;
  /** Other names that a repository's definition of it may have. */
  readonly aliases?: readonly string[];
  /** What the role is sent: a dispatch with anything else does not compile, and does not begin. */
  readonly input?: z.ZodType<unknown, In>;
  /**
   * Fields of the input that are there for the record alone. A repository's own definition may speak of them, so whoever
   * plays by one is told all.
   */
  readonly untold?: readonly string[];
  readonly contract: z.ZodType<Contract>;
};

/** Written as fields, so that the contract's schema alone says what its type is. */
export type RoleSpec<Contract, Writes extends boolean, In = unknown> = RoleCore<Contract, In> & {
  readonly writes?: Writes;
  /** What it writes are documents: it builds and runs nothing, so all but the folders of these may be read-only to it. */
  readonly documents?: Writes;
  /**
   * A signed role must return the SIGNED_VALUE of its own definition, which its prompt begins with. That finds an answer
   * given for another role or without the definition; whoever reads the prompt can sign.
   */
  readonly signed?: boolean;
  /** A valid contract in which the agent itself says that it failed: why, or undefined when it did not. */
  readonly fails?: (contract: Contract) => Failure | undefined;
  /** What a valid contract says of the work that it judges, for gates over the ledger to count. */
  readonly verdict?: (contract: Contract, about: DispatchAbout) => Verdict | readonly Verdict[];
  /** A valid contract that sends the work back, as telemetry says it; without it one with a verdict that did not pass. */
  readonly revises?: (contract: Contract) => boolean;
  /** Ledger rows that follow from a valid contract, column by column: for tables that nothing else here fills. */
  readonly rows?: (contract: Contract, about: DispatchAbout) => readonly LedgerRow[];
};

/**
 * What an agent is asked to be: name, purpose, typed input and answer, and whether its files are taken. Its functions
 * are methods, so that roles of any contract fit into one list.
 */
export type Role<In = unknown, Contract = unknown, Writes extends boolean = boolean> = RoleCore<Contract, In> & {
  readonly writes: Writes;
  readonly documents?: Writes;
  readonly signed: boolean;
  fails?(contract: Contract): Failure | undefined;
  verdict?(contract: Contract, about: DispatchAbout): Verdict | readonly Verdict[];
  revises?(contract: Contract): boolean;
  rows?(contract: Contract, about: DispatchAbout): readonly LedgerRow[];
};

export function defineRole<Contract, const Writes extends boolean = false, In = unknown>(
  spec: RoleSpec<Contract, Writes, In>,
): Role<In, Contract, Writes> {
  if (!/^[A-Za-z][\w-]*$/.test(spec.name)) {
    throw new SignalboxError(
      "PIPELINE_INVALID",
      `The role name "${spec.name}" has characters that a key or a file name cannot carry.`,
      "Use letters, digits, dashes and underscores, starting with a letter.",
    );
  }
  // `Writes` defaults to false exactly when the field is left out.
  const writes = (spec.writes ?? false) as Writes;
  return { ...spec, writes, signed: spec.signed ?? false };
}

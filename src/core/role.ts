import type { z } from "zod";
import { SignalboxError } from "./errors.ts";
import type { Failure } from "./failure.ts";
import type { LedgerRow } from "./ledger.ts";

/** What a dispatch was about, for the rows that a role's contract turns into. */
export type DispatchAbout = {
  readonly instance: string;
  readonly round: number;
  readonly task: string;
  readonly input: unknown;
};

/** What an agent is asked to be: name, purpose, typed answer, and whether its files are taken. */
export type Role<In = unknown, Contract = unknown, Writes extends boolean = boolean> = {
  readonly name: string;
  /** One sentence for people, and the prompt of last resort. */
  readonly does: string;
  /** What the agent is told about its part; a repository's own definition of the role replaces it. */
  readonly prompt?: string;
  readonly contract: z.ZodType<Contract>;
  readonly writes: Writes;
  /** A signed role must return the SIGNED_VALUE of its own definition; it detects drift, not forgery. */
  readonly signed: boolean;
  /** Ledger rows that follow from a valid contract. */
  rows?(contract: Contract, about: DispatchAbout): readonly LedgerRow[];
  /** A valid contract in which the agent itself says that it failed: why, or undefined when it did not. */
  fails?(contract: Contract): Failure | undefined;
  /** Type only: what the role is sent. */
  readonly input?: In;
};

export type RoleSpec<Contract, Writes extends boolean> = {
  readonly name: string;
  readonly does: string;
  readonly prompt?: string;
  readonly contract: z.ZodType<Contract>;
  readonly writes?: Writes;
  readonly signed?: boolean;
  readonly rows?: (contract: Contract, about: DispatchAbout) => readonly LedgerRow[];
  readonly fails?: (contract: Contract) => Failure | undefined;
};

export function defineRole<Contract, const Writes extends boolean = false>(
  spec: RoleSpec<Contract, Writes>,
): Role<unknown, Contract, Writes> {
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

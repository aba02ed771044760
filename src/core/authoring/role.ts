import type { z } from "zod";
import { SignalboxError } from "../failure/errors.ts";
import type { Failure } from "../failure/failure.ts";
import type { LedgerRow } from "../journal/ledger.ts";
import type { Finding } from "./finding.ts";
import type { Tree } from "./tree.ts";

/** Identity of a dispatch, passed to functions that convert a role's contract. */
export type DispatchAbout = {
  readonly instance: string;
  readonly round: number;
  readonly task: string;
  readonly input: unknown;
};

/** Reviewer's verdict as gates count it. The engine adds the reviewer, the round and the task. */
export type Verdict = {
  readonly passed: boolean;
  /** Subject, if one answer judges several things. Default: `review`. */
  readonly about?: string;
  /** Reviewer's own word for the verdict. Default: `approve` or `needs_revision`. */
  readonly word?: string;
  /** Severity of the worst finding. */
  readonly severity?: Finding["severity"];
  readonly because?: string;
  readonly tree?: Tree;
};

type RoleCore<Contract, In> = {
  readonly name: string;
  /** One sentence for people. It is also the prompt if no other prompt exists. */
  readonly does: string;
  /** Describes the agent and how it works. The repository's own definition of the role replaces it. */
  readonly prompt?: string;
  /**
   * Requirements of the pipeline for any agent in this role: its inputs, its outputs, and where they are read. A
   * definition does not replace it.
   */
  readonly protocol?: string;
  /** Alternative names for the repository's definition of the role. */
  readonly aliases?: readonly string[];
  /** Input schema. A dispatch with any other input neither compiles nor starts. */
  readonly input?: z.ZodType<unknown, In>;
  /**
   * Input fields that are only recorded. They are shown to an agent only if the repository has its own definition of
   * the role, because that may refer to them.
   */
  readonly untold?: readonly string[];
  readonly contract: z.ZodType<Contract>;
};

/** Conditional fields, so that the schema of the contract alone determines its type. */
export type RoleSpec<Contract, Writes extends boolean, In = unknown> = RoleCore<Contract, In> & {
  readonly writes?: Writes;
  /**
   * The role writes documents only. It builds and runs nothing, so every folder except those of the documents may be
   * read-only.
   */
  readonly documents?: Writes;
  /**
   * A signed role must return the SIGNED_VALUE at the top of its own definition. This detects an answer for another
   * role or without the definition. It proves no identity: anyone who reads the prompt can sign.
   */
  readonly signed?: boolean;
  /** Returns the failure if the agent itself reports in a valid contract that it failed. */
  readonly fails?: (contract: Contract) => Failure | undefined;
  /** Converts a valid contract into verdicts about the reviewed work, which gates count in the ledger. */
  readonly verdict?: (contract: Contract, about: DispatchAbout) => Verdict | readonly Verdict[];
  /**
   * Returns whether a valid contract sends the work back, for telemetry. Default: a contract with a verdict that did
   * not pass.
   */
  readonly revises?: (contract: Contract) => boolean;
  /**
   * Ledger rows that follow from a valid contract, column by column. Only for tables that no other function here fills.
   */
  readonly rows?: (contract: Contract, about: DispatchAbout) => readonly LedgerRow[];
};

/**
 * Agent role: name, purpose, typed input and contract, and whether its files are taken. The functions are methods, so
 * that roles with different contracts fit into one list.
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
      `The role name "${spec.name}" contains characters that are invalid in a key or a file name.`,
      "Use letters, digits, dashes and underscores, starting with a letter.",
    );
  }
  // `Writes` defaults to false exactly if the field is absent, so the cast is true.
  const writes = (spec.writes ?? false) as Writes;
  return { ...spec, writes, signed: spec.signed ?? false };
}

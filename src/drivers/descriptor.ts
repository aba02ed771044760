import type { Driver } from "../core/ports/driver.ts";
import type { ProcessLimits } from "../core/ports/processes.ts";

/** The user whose logins and keys the agents use. */
export type User = { readonly home: string; readonly env: Readonly<Record<string, string | undefined>> };

/**
 * Describes one way to run roles: how it is named, found, installed, logged in to and started. `create` starts nothing;
 * the driver itself reports its capabilities.
 */
export type DriverDescriptor = {
  /** The name used in `agents:` and `--agent`. */
  readonly name: string;
  /** How a choice of it is displayed, if not by its name and model. */
  readonly title?: string;
  /** The program that must be on the PATH, if any. */
  readonly program?: string;
  /** The command that installs the program. Programs with one are suggested when found. */
  readonly install?: string;
  /** The version that the whole test suite runs with, if any. */
  readonly tried?: string;
  /** How a person logs in so that attempts, which have their own home, can use the login. */
  readonly logIn?: string;
  readonly login?: DriverLogin;
  /** Variables of the user that it may see, in order of priority. A variable named like a secret is a key. */
  variables?(use: { readonly env: User["env"]; readonly model?: string | undefined }): readonly string[];
  readonly definitions?: DefinitionFolder;
  /** Variables that it sets in the environment of every process it starts. */
  readonly marks?: readonly string[];
  /** The words of its command. A file among them must be visible in the sandbox although the home is not. */
  readonly words?: readonly string[];
  /** The agent is an external process that connects by itself, so its presence cannot be checked. */
  readonly outside?: boolean;
  /** Set if the descriptor needs the `argv` of a role's entry; returns the descriptor with it. */
  ofArgv?(argv: readonly string[]): DriverDescriptor;
  create(parts: DriverParts): Driver | Promise<Driver>;
};

/** A login that is stored in files. */
export type DriverLogin = {
  /** Absolute paths, existing or not; the first existing one counts. */
  files(user: User): readonly string[];
  /**
   * Reads the login from a file's JSON; undefined if it contains none. Without this function any existing file is a
   * login.
   */
  read?(document: unknown): HeldLogin | undefined;
  /** True if an attempt cannot work without such a file or a key. */
  readonly only?: boolean;
};

/** `by` is displayed and contains no value of the file. A login that renews itself never expires. */
export type HeldLogin = { readonly by: string; readonly renews: boolean; readonly endsAt?: number | undefined };

/**
 * The folder of a repository in which the program reads agent definitions. Model names in them are the program's own.
 */
export type DefinitionFolder = {
  readonly folder: string;
  readonly ending: string;
  /** Other programs read them too; they take precedence over definitions for one program. */
  readonly shared?: boolean;
};

export type DriverParts = {
  readonly limits: ProcessLimits;
  readonly user: User;
  /** The existing files of its login. */
  readonly logins: readonly string[];
  /** The folder in which dispatches wait for external agents. */
  readonly mailbox: string;
  /** The engine's sandbox contains everything it starts. Agents that set up their own sandbox may fail inside it. */
  readonly contained: boolean;
};

/** Returns its argument, with type checking. */
export function defineDriver(descriptor: DriverDescriptor): DriverDescriptor {
  return descriptor;
}

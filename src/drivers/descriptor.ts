import type { Driver } from "../core/ports/driver.ts";
import type { ProcessLimits } from "../core/ports/processes.ts";

/** Whose agents they are: where logins lie, and keys. */
export type User = { readonly home: string; readonly env: Readonly<Record<string, string | undefined>> };

/**
 * Everything that is known about one way to have roles played: how it is named, found, installed, logged in to and
 * started. `create` starts nothing, and what the driver can do it says itself.
 */
export type DriverDescriptor = {
  /** As `agents:` and `--agent` name it. */
  readonly name: string;
  /** How a choice of it is shown, where that is not its name and the model. */
  readonly title?: string;
  /** What must be on the PATH; without it nothing has to be. */
  readonly program?: string;
  /** The line that installs the program; one that has it is offered where it is found. */
  readonly install?: string;
  /** The version that the whole suite is run with, where it is. */
  readonly tried?: string;
  /** How a person logs in, so that an attempt, which has a home of its own, finds it. */
  readonly logIn?: string;
  readonly login?: DriverLogin;
  /** Variables of the user's that it may see, in the order in which they count; what is named like a secret is a key. */
  variables?(use: { readonly env: User["env"]; readonly model?: string | undefined }): readonly string[];
  readonly definitions?: DefinitionFolder;
  /** Variables that it puts into the environment of all that it starts. */
  readonly marks?: readonly string[];
  /** Words of its command: a file among them must be visible where the home is not. */
  readonly words?: readonly string[];
  /** Who works is no program of ours and comes by himself: he cannot be asked whether he is there. */
  readonly outside?: boolean;
  /** Only with the `argv` of a role's entry is it somebody: the same, with that. */
  ofArgv?(argv: readonly string[]): DriverDescriptor;
  create(parts: DriverParts): Driver | Promise<Driver>;
};

/** A login that is kept in files. */
export type DriverLogin = {
  /** Absolute paths, whether they are there or not; the first that is there counts. */
  files(user: User): readonly string[];
  /** What the JSON of such a file holds; undefined where that is no login. Without it a file that is there is one. */
  read?(document: unknown): HeldLogin | undefined;
  /** Without such a file and without a key nothing of it works: there is no other way in for an attempt. */
  readonly only?: boolean;
};

/** `by` is shown: no value of the file is. One that renews itself never expires. */
export type HeldLogin = { readonly by: string; readonly renews: boolean; readonly endsAt?: number | undefined };

/** Where such a program keeps a repository's agent definitions: only there a model's name is one of its own. */
export type DefinitionFolder = {
  readonly folder: string;
  readonly ending: string;
  /** Other programs read them too: they count before those of one program alone. */
  readonly shared?: boolean;
};

export type DriverParts = {
  readonly limits: ProcessLimits;
  readonly user: User;
  /** The files of its login that are there. */
  readonly logins: readonly string[];
  /** Where dispatches wait for somebody outside. */
  readonly mailbox: string;
  /** Our own walls hold whatever it starts; an agent that builds its own inside them may find that it cannot. */
  readonly contained: boolean;
};

/** Gives back what it is given; for its types. */
export function defineDriver(descriptor: DriverDescriptor): DriverDescriptor {
  return descriptor;
}

export type DetectedCommand = {
  readonly name: string;
  readonly run: string;
  /** Folder of its package, if not the top. */
  readonly cwd?: string;
  /** File that declares it. */
  readonly from: string;
};

/** Returns the shell line, with a `cd` if the command runs in a subfolder. */
export function formatCommandLine({ run, cwd }: Pick<DetectedCommand, "run" | "cwd">): string {
  if (cwd === undefined) return run;
  return `cd ${/^[\w./@-]+$/.test(cwd) ? cwd : `'${cwd}'`} && ${run}`;
}

/** Prepares a fresh checkout for its checks. */
export type DetectedSetup = {
  readonly run: string;
  /**
   * File that identifies the preparation: an equal text means that it can be reused. Absent if the set-up writes
   * elsewhere than into new top-level folders, or depends on its checkout.
   */
  readonly lockFile?: string;
  readonly from: string;
};

export type DetectedProject = {
  readonly commands: readonly DetectedCommand[];
  readonly setup?: DetectedSetup;
  /** Sentences about recognized but unsupported parts, which a person has to configure. */
  readonly unknown?: readonly string[];
};

export type ProjectFiles = {
  /** Path → text of the requested files that exist. */
  readonly files: ReadonlyMap<string, string>;
  /** All names at the root. */
  readonly names: ReadonlySet<string>;
  /** All known paths. */
  readonly paths: readonly string[];
  /** Programs that are not installed. An alternative without them is proposed if there is one. */
  readonly missing: ReadonlySet<string>;
};

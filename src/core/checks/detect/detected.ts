export type DetectedCommand = {
  readonly name: string;
  readonly run: string;
  /** The folder of the package that it belongs to, where that is not the top. */
  readonly cwd?: string;
  /** The file that says so. */
  readonly from: string;
};

/** The whole of it, as the shell is given it. */
export function lineOf({ run, cwd }: Pick<DetectedCommand, "run" | "cwd">): string {
  if (cwd === undefined) return run;
  return `cd ${/^[\w./@-]+$/.test(cwd) ? cwd : `'${cwd}'`} && ${run}`;
}

/** What makes a fresh checkout ready for its checks. */
export type DetectedSetup = {
  readonly run: string;
  /**
   * The same text of this file means that the same preparation serves. Absent where what it makes lies elsewhere than in
   * new folders at the top, or knows the checkout that it was made in.
   */
  readonly lockFile?: string;
  readonly from: string;
};

export type DetectedProject = {
  readonly commands: readonly DetectedCommand[];
  readonly setup?: DetectedSetup;
  /** What was seen and is not understood, a sentence each: a person configures it. */
  readonly unknown?: readonly string[];
};

export type ProjectFiles = {
  /** Path → text of those asked for that exist. */
  readonly files: ReadonlyMap<string, string>;
  /** All names at the root. */
  readonly names: ReadonlySet<string>;
  /** All paths, as far as they are known. */
  readonly paths: readonly string[];
  /** Programs that are not here: a way without them is proposed where there is one. */
  readonly missing: ReadonlySet<string>;
};

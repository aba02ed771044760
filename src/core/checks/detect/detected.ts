export type DetectedCommand = {
  readonly name: string;
  readonly run: string;
  /** The file that says so. */
  readonly from: string;
};

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

export type Detected = { readonly commands: readonly DetectedCommand[]; readonly setup?: DetectedSetup };

export type ProjectFiles = {
  /** Path → text of those asked for that exist. */
  readonly files: ReadonlyMap<string, string>;
  /** All names at the root. */
  readonly names: ReadonlySet<string>;
  /** Programs that are not here: a way without them is proposed where there is one. */
  readonly missing: ReadonlySet<string>;
};

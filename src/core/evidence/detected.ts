export type DetectedCommand = {
  readonly name: string;
  readonly run: string;
  /** The file that says so. */
  readonly from: string;
};

/** What makes a fresh checkout ready for its checks. */
export type DetectedSetup = {
  readonly run: string;
  /** Says what the preparation makes, so that it can be kept. */
  readonly lockFile: string;
  readonly from: string;
};

export type Detected = { readonly commands: readonly DetectedCommand[]; readonly setup?: DetectedSetup };

export type ProjectFiles = {
  /** Path → text of those asked for that exist. */
  readonly files: ReadonlyMap<string, string>;
  /** All names at the root. */
  readonly names: ReadonlySet<string>;
};

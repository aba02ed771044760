/** How many tests ended in which way; what was never collected is in none of them. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** How one test ended. */
export type End = keyof Tally;

/** What a reader makes of a report. */
export type Reading = Tally & {
  /** Absent where a report has only numbers. */
  readonly names?: Readonly<Record<string, End>>;
  /** Files that could not be loaded: each is also a failed test, `file (cannot be collected)`. */
  readonly uncollected?: readonly string[];
};

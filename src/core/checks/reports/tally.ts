/** Number of tests per result. Tests that were never collected are not included. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** Result of one test. */
export type End = keyof Tally;

/** Parsed report. */
export type Reading = Tally & {
  /** Absent if a report has only numbers. */
  readonly names?: Readonly<Record<string, End>>;
  /** Files that could not be loaded. Each is also a failed test, `file (cannot be collected)`. */
  readonly uncollected?: readonly string[];
};

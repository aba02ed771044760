/** How many tests ended in which way; what was never collected is in none of them. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** @rule R-35 (policy) `blockedBy` is one of five agents, and `blockedReason` is one line. */
export const toOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/**
 * @rule R-33 (declaration) A failure is forwarded and shown with its first three lines; the full text stays in the
 *   journal.
 */
const FAILURE_LINES = 3;

/** The part of a failure that is forwarded and shown. */
export const takeFirstLines = (text: string): string => text.split("\n").slice(0, FAILURE_LINES).join("\n");

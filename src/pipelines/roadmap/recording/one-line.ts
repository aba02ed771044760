/** @rule R-35 (policy) A block names one of five agents and a reason of one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** @rule R-33 (declaration) A failure is passed on and shown with its first three lines; the journal keeps it whole. */
const FAILURE_LINES = 3;

/** As much of a failure as is forwarded and shown; all of it stays in the journal. */
export const firstLines = (text: string): string => text.split("\n").slice(0, FAILURE_LINES).join("\n");

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const FAILURE_LINES = 3;

/** As much of a failure as is forwarded and shown; all of it stays in the journal. */
export const firstLines = (text: string): string => text.split("\n").slice(0, FAILURE_LINES).join("\n");

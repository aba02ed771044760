/** The five formats in which agents write their contract. */
export const DIALECTS = ["markdown", "json", "completion", "line", "status"] as const;
export type Dialect = (typeof DIALECTS)[number];

/** The five ways in which agents are asked to write their contract. */
export const DIALECTS = ["markdown", "json", "completion", "line", "status"] as const;
export type Dialect = (typeof DIALECTS)[number];

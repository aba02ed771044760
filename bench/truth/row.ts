import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { CLASSES } from "./subject.ts";
import { OUTCOMES } from "./verdict.ts";

/** The outcome of one commit or of a cheat on it, stored beside the corpus so that an interrupted run can continue. */
export const Row = z.object({
  repo: z.string(),
  hash: z.string(),
  subject: z.string(),
  kind: z.enum(CLASSES),
  source: z.enum(["people", "agents"]),
  /** Empty for the commit itself. */
  cheat: z.string(),
  what: z.string(),
  outcome: z.enum(OUTCOMES),
  kinds: z.array(z.string()),
  told: z.array(z.string()),
  commandsMs: z.number(),
  examMs: z.number(),
  /** For a refused commit: whether its own commands pass without the engine. */
  alone: z.boolean().optional(),
  date: z.string(),
});
export type Row = z.infer<typeof Row>;

export function readRows(file: string): readonly Row[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => Row.parse(JSON.parse(line)));
}

export function appendRow(file: string, row: Row): void {
  appendFileSync(file, `${JSON.stringify(row)}\n`);
}

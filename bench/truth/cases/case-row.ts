import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { OUTCOMES } from "../verdict.ts";

/** The outcome of one case, stored beside the corpus so that an interrupted run can continue. */
export const CaseRow = z.object({
  corpus: z.string(),
  name: z.string(),
  isHonest: z.boolean(),
  outcome: z.enum(OUTCOMES),
  kinds: z.array(z.string()),
  told: z.array(z.string()),
  date: z.string(),
});
export type CaseRow = z.infer<typeof CaseRow>;

export function readCaseRows(file: string): readonly CaseRow[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => CaseRow.parse(JSON.parse(line)));
}

export function appendCaseRow(file: string, row: CaseRow): void {
  appendFileSync(file, `${JSON.stringify(row)}\n`);
}

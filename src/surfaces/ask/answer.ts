import { z } from "zod";

/** What the reading process is asked, as one JSON document on its standard input. */
export type Request = {
  readonly file: string;
  readonly sql: string;
  readonly limitRows: number;
  readonly timeoutMs: number;
};

/** NULL, text and numbers as they are; a whole number too large for JSON as text; a blob as SQL writes it, `x'00ff'`. */
const Cell = z.union([z.string(), z.number(), z.null()]);
export type Cell = z.infer<typeof Cell>;

/** Its answer, one JSON document per line: columns, rows, and an end — or a refusal in place of the end. */
export const AnswerLine = z.union([
  z.object({ columns: z.array(z.string()) }),
  z.object({ row: z.array(Cell) }),
  z.object({ end: z.object({ truncated: z.boolean() }) }),
  z.object({ refused: z.object({ message: z.string(), tables: z.array(z.string()), damaged: z.boolean() }) }),
]);
export type AnswerLine = z.infer<typeof AnswerLine>;
export type Refusal = Extract<AnswerLine, { refused: unknown }>["refused"];

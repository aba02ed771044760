import { z } from "zod";

/** The reader process gets its request as one JSON document on standard input. */
export type ReaderRequest = {
  readonly file: string;
  readonly sql: string;
  readonly limitRows: number;
  readonly timeoutMs: number;
};

/**
 * Encodes NULL, text and numbers as they are, integers too large for JSON as text, and blobs in SQL notation,
 * `x'00ff'`.
 */
const SqlCell = z.union([z.string(), z.number(), z.null()]);
export type SqlCell = z.infer<typeof SqlCell>;

/** The reader answers with one JSON document per line: columns, rows, and an end, or a refusal instead of the end. */
export const AnswerLine = z.union([
  z.object({ columns: z.array(z.string()) }),
  z.object({ row: z.array(SqlCell) }),
  z.object({ end: z.object({ truncated: z.boolean() }) }),
  z.object({ refused: z.object({ message: z.string(), tables: z.array(z.string()), damaged: z.boolean() }) }),
]);
export type AnswerLine = z.infer<typeof AnswerLine>;
export type QueryRefusal = Extract<AnswerLine, { refused: unknown }>["refused"];

import { z } from "zod";

/** How agents write that there is nothing to list. */
const NOTHING = /^(?:|none|n\/a|nothing|-)\.?$/i;

/** One line or a list of lines; both are read as a list. */
const listed = (meaning: string) =>
  z.array(z.string().describe(meaning)).transform((lines) => lines.filter((line) => !NOTHING.test(line.trim())));

const evidence = (meaning: string) =>
  z
    .array(z.string().describe(meaning))
    .transform((lines) => lines.filter((line) => line.trim() !== ""))
    .refine((lines) => lines.length > 0, "what was done or found, in one line or more");

/** `path — what changed`, as agents write it: with a dash, a colon or brackets, with or without backticks. */
const ChangedFile = z
  .string()
  .describe("path — one line about it; every file you created, changed or deleted")
  .transform((said) => {
    // One blank for many: the pattern would try every way to share them out.
    const line = said.trim().replace(/\s+/g, " ");
    const [, quoted, bare = "", description = ""] =
      /^(?:`([^`]+)`|(.+?))(?:\s+[—–-]+\s+|\s*:\s+|\s+(?=\()|$)(.*)$/s.exec(line) ?? [];
    return { path: (quoted ?? bare).replace(/^\.\//, "").trim(), description: description.trim() };
  });
export type ChangedFile = z.infer<typeof ChangedFile>;

const Status = z.enum(["success", "blocked"]);

/**
 * What every contract ends with. Why it is blocked is asked for and never insisted on: failures, findings or drift say it as
 * well, and an answer that has them is worth more than its form.
 */
const ending = {
  learnings: listed("what later items should know, too").default([]),
  blockedReason: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "the most important thing, in one line", due: "only with status: blocked" }),
};

export const ResearchContract = z.object({
  status: Status,
  evidence: evidence("one fact, and the path that shows it"),
  ...ending,
});

const DESIGN = { due: "only with mode: design" };

export const ArchitectContract = z.object({
  status: Status,
  mode: z.enum(["design", "validation"]).describe("the mode you were sent"),
  evidence: evidence("what the decision rests on, or each point of drift: path, what the ADR says, what is there"),
  adr: z
    .string()
    .optional()
    .meta({ description: "the path of the ADR", ...DESIGN }),
  interfaces: listed("what the parts know of each other; or Boundaries").optional().meta(DESIGN),
  boundaries: listed("what no part may cross; or Interfaces").optional().meta(DESIGN),
  ...ending,
});

/** @rule R-26 (declaration) The implementer is sent the form of its answer with its five fields. */
export const ImplementContract = z
  .object({
    status: Status,
    files: z.array(ChangedFile).optional().meta({ due: "only with status: success" }),
    evidence: evidence("criterion by criterion, what meets it"),
    ...ending,
  })
  .superRefine(({ status, files }, context) => {
    if (status !== "success" || files !== undefined) return;
    context.addIssue({ code: "custom", path: ["files"], message: "every file with one line about it" });
  });

export const TestingContract = z.object({
  status: Status,
  evidence: evidence("test files, commands that you ran, how many passed and failed"),
  failures: listed("a failing test: its name, expected, found; three lines at most").default([]),
  ...ending,
});

/**
 * @rule R-31 (declaration) A contract that lacks a field or has a value outside its list is invalid, and the field is
 *   named; a missing reason of a block is taken from failures, findings or drift.
 */
export const ReviewContract = z.object({
  status: Status,
  verdict: z.enum(["ship", "minor_fixes", "needs_work"]).describe("ship when nothing has to change"),
  evidence: evidence("commands that you ran with their results, and what you read"),
  failures: listed("🔴 must, 🟡 should or 🔵 could change; path:line; what goes wrong; three lines at most").default(
    [],
  ),
  ...ending,
});

/** A contract as it was read, kept for the next run of its item: its own fields, without what the engine adds to an answer. */
export const KeptContract = z.object({
  status: Status,
  evidence: z.array(z.string()),
  learnings: z.array(z.string()),
  blockedReason: z.string().optional(),
  mode: z.enum(["design", "validation"]).optional(),
  adr: z.string().optional(),
  interfaces: z.array(z.string()).optional(),
  boundaries: z.array(z.string()).optional(),
  files: z.array(z.strictObject({ path: z.string(), description: z.string() })).optional(),
  failures: z.array(z.string()).optional(),
  verdict: z.enum(["ship", "minor_fixes", "needs_work"]).optional(),
});

/** What every contract has, and what some have besides. */
export type Contract = z.infer<typeof ResearchContract> & {
  readonly mode?: "design" | "validation" | undefined;
  readonly adr?: string | undefined;
  readonly interfaces?: readonly string[] | undefined;
  readonly boundaries?: readonly string[] | undefined;
  readonly files?: readonly ChangedFile[] | undefined;
  readonly failures?: readonly string[] | undefined;
  readonly verdict?: "ship" | "minor_fixes" | "needs_work" | undefined;
};

import { z } from "zod";

/** Forms in which agents write an empty list. */
const NOTHING = /^(?:|none|n\/a|nothing|-)\.?$/i;

/** A list in which entries such as "none" are dropped. */
const createListField = (meaning: string) =>
  z.array(z.string().describe(meaning)).transform((lines) => lines.filter((line) => !NOTHING.test(line.trim())));

const createEvidenceField = (meaning: string) =>
  z
    .array(z.string().describe(meaning))
    .transform((lines) => lines.filter((line) => line.trim() !== ""))
    .refine((lines) => lines.length > 0, "at least one line about what was done or found");

/** Parses `path — what changed` with a dash, a colon or brackets, with or without backticks. */
const ChangedFile = z
  .string()
  .describe("path — one line about it; every file you created, changed or deleted")
  .transform((text) => {
    // Collapses blanks first, because the pattern would otherwise backtrack over every split of them.
    const line = text.trim().replace(/\s+/g, " ");
    const [, quoted, bare = "", description = ""] =
      /^(?:`([^`]+)`|(.+?))(?:\s+[—–-]+\s+|\s*:\s+|\s+(?=\()|$)(.*)$/s.exec(line) ?? [];
    return { path: (quoted ?? bare).replace(/^\.\//, "").trim(), description: description.trim() };
  });
export type ChangedFile = z.infer<typeof ChangedFile>;

const Status = z.enum(["success", "blocked"]);

/**
 * Last fields of every contract. The blocked reason is requested but optional: failures, findings or drift can replace
 * it, and an answer with those is usable.
 */
const commonFields = {
  learnings: createListField("what later items should know").default([]),
  blockedReason: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "the main reason, in one line", due: "only with status: blocked" }),
};

export const ResearchContract = z.object({
  status: Status,
  evidence: createEvidenceField("one fact, and the path that shows it"),
  ...commonFields,
});

const DESIGN = { due: "only with mode: design" };

export const ArchitectContract = z.object({
  status: Status,
  mode: z.enum(["design", "validation"]).describe("the mode of this dispatch"),
  evidence: createEvidenceField(
    "reasons for the decision, or each point of drift: path, what the ADR says, what the code does",
  ),
  adr: z
    .string()
    .optional()
    .meta({ description: "the path of the ADR", ...DESIGN }),
  interfaces: createListField("interfaces between the parts; or Boundaries").optional().meta(DESIGN),
  boundaries: createListField("limits that no part may cross; or Interfaces").optional().meta(DESIGN),
  ...commonFields,
});

/**
 * @rule R-26 (declaration) The Implement dispatch contains the output template with Status, Files, Evidence, Learnings
 *   and Blocked reason.
 */
export const ImplementContract = z
  .object({
    status: Status,
    files: z.array(ChangedFile).optional().meta({ due: "only with status: success" }),
    evidence: createEvidenceField("for each criterion, what meets it"),
    ...commonFields,
  })
  .superRefine(({ status, files }, context) => {
    if (status !== "success" || files !== undefined) return;
    context.addIssue({ code: "custom", path: ["files"], message: "every file with one line about it" });
  });

export const TestingContract = z.object({
  status: Status,
  evidence: createEvidenceField("test files, commands you ran, numbers of passed and failed tests"),
  failures: createListField("a failing test: name, expected, actual; at most three lines").default([]),
  ...commonFields,
});

/**
 * @rule R-31 (declaration) A missing contract field or a value outside its enum is `contract_invalid`, and the field is
 *   named; a missing blocked reason is taken from the failures, findings or drift.
 */
export const ReviewContract = z.object({
  status: Status,
  verdict: z.enum(["ship", "minor_fixes", "needs_work"]).describe("ship when nothing has to change"),
  evidence: createEvidenceField("commands you ran with their results, and what you read"),
  failures: createListField(
    "🔴 must, 🟡 should or 🔵 could change; path:line; what goes wrong; at most three lines",
  ).default([]),
  ...commonFields,
});

/** A contract as stored for the next run of its item: its own fields, without those that the engine adds. */
export const StoredContract = z.object({
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

/** Fields of every contract, and the optional ones of some. */
export type Contract = z.infer<typeof ResearchContract> & {
  readonly mode?: "design" | "validation" | undefined;
  readonly adr?: string | undefined;
  readonly interfaces?: readonly string[] | undefined;
  readonly boundaries?: readonly string[] | undefined;
  readonly files?: readonly ChangedFile[] | undefined;
  readonly failures?: readonly string[] | undefined;
  readonly verdict?: "ship" | "minor_fixes" | "needs_work" | undefined;
};

import { z } from "zod";

/** How agents write that there is nothing to list. */
const NOTHING = /^(?:|none|n\/a|nothing|-)\.?$/i;

/** One line or a list of lines; both are read as a list. */
const Listed = z.array(z.string()).transform((lines) => lines.filter((line) => !NOTHING.test(line.trim())));

const Evidence = z
  .array(z.string())
  .transform((lines) => lines.filter((line) => line.trim() !== ""))
  .refine((lines) => lines.length > 0, "what was done or found, in one line or more");

/** `path — what changed`, as agents write it: with a dash, a colon or brackets, with or without backticks. */
const ChangedFile = z.string().transform((said) => {
  // One blank for many: the pattern would try every way to share them out.
  const line = said.trim().replace(/\s+/g, " ");
  const [, quoted, bare = "", description = ""] =
    /^(?:`([^`]+)`|(.+?))(?:\s+[—–-]+\s+|\s*:\s+|\s+(?=\()|$)(.*)$/s.exec(line) ?? [];
  return { path: (quoted ?? bare).replace(/^\.\//, "").trim(), description: description.trim() };
});
export type ChangedFile = z.infer<typeof ChangedFile>;

const Status = z.enum(["success", "blocked"]);
const BlockedReason = z.string().min(1).optional();

export const ResearchContract = z
  .object({ status: Status, evidence: Evidence, learnings: Listed.default([]), blockedReason: BlockedReason })
  .superRefine(reasonWhenBlocked);

export const ArchitectContract = z
  .object({
    status: Status,
    mode: z.enum(["design", "validation"]),
    evidence: Evidence,
    adr: z.string().optional(),
    interfaces: Listed.optional(),
    boundaries: Listed.optional(),
    learnings: Listed.default([]),
    blockedReason: BlockedReason,
  })
  .superRefine(reasonWhenBlocked);

export const ImplementContract = z
  .object({
    status: Status,
    files: z.array(ChangedFile).optional(),
    evidence: Evidence,
    learnings: Listed.default([]),
    blockedReason: BlockedReason,
  })
  .superRefine(reasonWhenBlocked)
  .superRefine(({ status, files }, context) => {
    if (status === "success" && files === undefined) missing(context, "files", "every file with one line about it");
  });

export const TestingContract = z
  .object({
    status: Status,
    evidence: Evidence,
    failures: Listed.default([]),
    learnings: Listed.default([]),
    blockedReason: BlockedReason,
  })
  .superRefine(reasonWhenBlocked);

export const ReviewContract = z
  .object({
    status: Status,
    verdict: z.enum(["ship", "minor_fixes", "needs_work"]),
    evidence: Evidence,
    failures: Listed.default([]),
    learnings: Listed.default([]),
    blockedReason: BlockedReason,
  })
  .superRefine(reasonWhenBlocked);

/** What every contract has, and what some have besides. */
export type Contract = z.infer<typeof ResearchContract> & {
  readonly mode?: "design" | "validation";
  readonly adr?: string | undefined;
  readonly interfaces?: readonly string[] | undefined;
  readonly boundaries?: readonly string[] | undefined;
  readonly files?: readonly ChangedFile[] | undefined;
  readonly failures?: readonly string[];
  readonly verdict?: "ship" | "minor_fixes" | "needs_work";
};

function reasonWhenBlocked(
  { status, blockedReason }: { status: "success" | "blocked"; blockedReason?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (status === "blocked" && blockedReason === undefined) missing(context, "blockedReason", "why it is blocked");
}

function missing(context: z.RefinementCtx, field: string, message: string): void {
  context.addIssue({ code: "custom", path: [field], message });
}

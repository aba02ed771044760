import { z } from "zod";

type Fields = Readonly<Record<string, unknown>>;

/** A reviewer's finding. Requested in this form, and accepted in others. */
export const Objection = z
  .union([
    z.object({
      severity: z.enum(["blocker", "critical", "major", "minor"]).default("major").meta({ due: "always" }),
      message: z.string().min(1),
      files: z.array(z.string()).optional(),
    }),
    z.unknown(),
  ])
  .transform((said) => {
    const { severity, message, files } = toFields(said);
    return {
      severity: isSeverity(severity) ? severity : ("major" as const),
      message: typeof message === "string" && message !== "" ? message : toText(said),
      ...(Array.isArray(files) ? { files: files.map(String) } : {}),
    };
  });

/**
 * Reads whether a criterion is met; "NOT MET" counts as `met: false`. A plain text counts as met unless it says
 * otherwise. An entry without a verdict is refused, because it must not count in favour of the work.
 */
export const Criterion = z
  .union([z.object({ criterion: z.string(), met: z.boolean() }), z.unknown()])
  .transform((said, context) => {
    const { criterion, met, status, result, verdict, ...more } = toFields(said);
    const word = [met, status, result, verdict].find((each) => each !== undefined) ?? findVerdict(said);
    if (word === undefined && typeof said !== "string") {
      context.addIssue({ code: "custom", path: ["met"], message: "true or false, for every criterion" });
      return z.NEVER;
    }
    return {
      criterion: typeof criterion === "string" ? criterion : toText(typeof said === "string" ? said : more),
      met: word === undefined || MET.test(String(word)),
    };
  });

/** Accepts common words for the two statuses, because agents write files freely. */
export const Verdict = z.preprocess(
  (said) => {
    const word = String(said).trim().toUpperCase();
    if (/^(?:ACCEPT(?:ED)?|APPROVED?|PASS(?:ED)?|LGTM|OK)$/.test(word)) return "ACCEPTED";
    return /^(?:REJECT(?:ED)?|FAIL(?:ED)?|(?:REQUEST_CHANGES|CHANGES_REQUESTED|NEEDS_WORK))$/.test(word)
      ? "REJECTED"
      : said;
  },
  z.enum(["ACCEPTED", "REJECTED"]),
);

/** Normalizes a report's lists: one entry, a mapping from criteria to verdicts, or nothing. */
export function withLists(report: unknown): unknown {
  const fields = toFields(report);
  if (fields === NONE) return report;
  return { ...fields, criteria: toList(fields["criteria"]), findings: toList(fields["findings"]) };
}

const MET = /^(true|yes|ok|met|pass(ed)?|done|accepted|✓|✅)/i;
const NONE: Fields = {};

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null || value === "" || /^(none|n\/a)\.?$/i.test(String(value))) return [];
  const fields = toFields(value);
  return fields === NONE ? [value] : Object.entries(fields).map(([criterion, status]) => ({ criterion, status }));
}

/** A plain criterion counts as met unless it contains a refusal. */
function findVerdict(said: unknown): string | undefined {
  return typeof said === "string" ? /\b(not[ _-]?met|unmet|failed)\b/i.exec(said)?.[0] : undefined;
}

function isSeverity(word: unknown): word is "blocker" | "critical" | "major" | "minor" {
  return word === "blocker" || word === "critical" || word === "major" || word === "minor";
}

function toFields(value: unknown): Fields {
  // Mappings have named entries; other values have none.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : NONE;
}

function toText(said: unknown): string {
  if (typeof said === "string") return said;
  const texts = Object.values(toFields(said)).filter((each) => typeof each === "string");
  return texts.length > 0 ? texts.join(": ") : JSON.stringify(said);
}

import { z } from "zod";
import {
  createLenientContract,
  type Fields,
  Findings,
  getFirstText,
  Text,
  toFields,
  toList,
  toText,
} from "./documents/lenient-schema.ts";
import { CHANGES, parseEvaluation, parseInstructionUpdate } from "./documents/proposals.ts";
import { Judgement, Severity, Status } from "./documents/spellings.ts";

/**
 * Reviewers and what each looks for. A further entry is dispatched, counted by every review gate and expected to write
 * its documents.
 * @rule L-07 (declaration) Design review runs three reviewers (security-sentinel, architecture-guardian,
 *   pragmatic-verifier) in parallel, each with three categories.
 */
export const LOOKS_FOR = {
  "security-sentinel": "who could misuse it, what gets in, what gets out, what is trusted without reason",
  "architecture-guardian": "what depends on what, what will have to change together, what will not carry the load",
  "pragmatic-verifier": "which case was forgotten, which requirement is not met, which test proves nothing",
} as const;
export type Perspective = keyof typeof LOOKS_FOR;
// The keys of a record are the names it was declared with.
export const PERSPECTIVES = Object.keys(LOOKS_FOR) as [Perspective, ...Perspective[]];
/** More than half of the reviewers. */
export const MAJORITY = Math.floor(PERSPECTIVES.length / 2) + 1;
export const CATEGORIES = ["security", "architecture", "correctness"] as const;
export const FOCUSES = ["architecture", "impact", "dependencies", "patterns"] as const;

/** Fields that every agent is shown for its own status, besides its results. */
export const SHOWN_FIELDS = {
  status: z.enum(["DONE", "ERROR"]).describe("ERROR if the work could not be done"),
  summary: z.string().describe("one or two sentences, at most 200 characters"),
  error_class: z
    .enum(["transient", "deterministic"])
    .optional()
    .meta({ description: "transient if a retry could succeed", due: "only with status: ERROR" }),
};

const ErrorClass = z.preprocess(
  (READ_FIELDS) => (typeof READ_FIELDS === "string" ? READ_FIELDS.trim().toLowerCase() : READ_FIELDS),
  z.enum(["transient", "deterministic"]).optional().catch(undefined),
);

/** Fields that the engine reads. Additional ones stay in the answer. */
export const READ_FIELDS = {
  status: Status.nullish().transform((status) => status ?? "DONE"),
  summary: Text,
  error_class: ErrorClass,
  artifact_evaluations: z.preprocess((value) => toList(value).flatMap(parseEvaluation), z.array(z.unknown())),
};
export type ContractStatus = {
  readonly status: Status;
  readonly summary?: string | undefined;
  readonly error_class?: unknown;
};

const createDocumentContract = <Shown extends z.ZodRawShape>(shown: Shown) =>
  createLenientContract(z.object({ ...SHOWN_FIELDS, ...shown }), z.looseObject(READ_FIELDS));

export const Research = createDocumentContract({
  findings: z.array(
    z.object({
      id: z.string().describe("F-1, F-2, …"),
      title: z.string().describe("the fact, in one sentence"),
      detail: z.string().describe("a short paragraph with the details"),
      evidence: z.array(z.string().describe("path:line that proves it")),
    }),
  ),
  source_files_examined: z.array(z.string().describe("path that you opened")),
});

export const Specification = createDocumentContract({
  feature_name: z.string().describe("a short title in the imperative; it becomes the commit subject"),
  functional_requirements: z.array(
    z.object({
      id: z.string().describe("FR-1, FR-2, …"),
      text: z.string().describe('one behaviour in one sentence that uses "must"'),
    }),
  ),
  acceptance_criteria: z.array(
    z.object({
      id: z.string().describe("AC-1, AC-2, …"),
      text: z.string().describe("how to tell whether a requirement holds"),
      test_method: z
        .enum(["test", "inspection", "demonstration", "analysis"])
        .describe("test where possible")
        .optional(),
    }),
  ),
  edge_cases: z.array(z.string().describe("the case and the expected behaviour")).optional(),
});

const SHOWN_RISK = z.enum(["🟢", "🟡", "🔴"]);

export const Design = createDocumentContract({
  architecture: z
    .string()
    .describe("one or two paragraphs: the parts, their responsibilities and interfaces, what stays unchanged"),
  decisions: z.array(
    z.object({
      id: z.string().describe("D-1, D-2, …"),
      title: z.string().describe("what is decided"),
      risk: SHOWN_RISK.describe("🟡 costly to change later, 🔴 security, stored data or a public interface").optional(),
      rationale: z.string().describe("a short paragraph: the reason and the rejected alternative"),
    }),
  ),
});

export const Implementation = createDocumentContract({
  changes: z.array(
    z.object({
      path: z.string().describe("file that you changed"),
      description: z.string().describe("what it does now, in one sentence"),
    }),
  ),
});

const SHOWN_SEVERITY = z.enum(["Blocker", "Critical", "Major", "Minor"]);

export const RequestEvaluation = createLenientContract(
  z.object({
    ...SHOWN_FIELDS,
    concerns: z
      .array(
        z.object({
          kind: z.enum(["scope", "conflict", "vagueness"]).describe("the kind of problem"),
          severity: SHOWN_SEVERITY.describe("Blocker stops the run"),
          text: z.string().describe("one sentence that the author can answer, with the place in the code"),
        }),
      )
      .describe("none for a clear request"),
  }),
  z.object({
    ...READ_FIELDS,
    concerns: z.preprocess(
      (value) => toList(value).map(parseConcern),
      z.array(
        z.object({ kind: z.string(), severity: z.enum(["blocker", "critical", "major", "minor"]), text: z.string() }),
      ),
    ),
  }),
);
export type Concern = z.infer<typeof RequestEvaluation>["concerns"][number];

function parseConcern(value: unknown): Fields {
  const severity = Severity.catch("major").parse(toFields(value)["severity"]);
  return { kind: getFirstText(value, "kind", "type", "category") ?? "concern", severity, text: toText(value) };
}

const shownFinding = {
  severity: SHOWN_SEVERITY.describe("Minor changes nothing; Blocker ends the run"),
  message: z.string().describe("what goes wrong, when and for whom"),
  files: z.array(z.string().describe("affected path")).optional(),
};

const JUDGEMENT = z.enum(["approve", "needs_revision", "blocker"]);
export const Verdict = createLenientContract(
  z.object({
    ...SHOWN_FIELDS,
    verdicts: z.object({
      security: JUDGEMENT.describe("misuse, leaks, trust"),
      architecture: JUDGEMENT.describe("parts and their coupling"),
      correctness: JUDGEMENT.describe("requirements, cases, tests"),
    }),
    findings: z
      .array(
        z.object({ ...shownFinding, category: z.enum(CATEGORIES).describe("the verdict it belongs to").optional() }),
      )
      .describe("one per problem that is not approved, and anything worth knowing")
      .optional(),
  }),
  z.preprocess(
    (value) => ({ ...toFields(value), verdicts: parseVerdicts(toFields(value)) }),
    z
      .object({
        ...READ_FIELDS,
        verdicts: z.object({ security: Judgement, architecture: Judgement, correctness: Judgement }),
        findings: Findings,
      })
      .check(requireConsistentVerdicts),
  ),
);
export type Verdict = z.infer<typeof Verdict>;

type ReviewedCategories = {
  readonly verdicts: Readonly<Record<(typeof CATEGORIES)[number], z.infer<typeof Judgement>>>;
  readonly findings: z.infer<typeof Findings>;
};

/**
 * For `.check()`: refuses an approval beside a finding above Minor in its category, and three approvals beside a
 * Critical finding without a category. A Blocker is left to its gate, which ends the run whatever the verdict.
 */
function requireConsistentVerdicts({ value, issues }: z.core.ParsePayload<ReviewedCategories>): void {
  const { verdicts, findings } = value;
  const approved = CATEGORIES.filter((category) => verdicts[category] === "approve");
  const serious = findings.filter(({ severity }) => severity === "critical" || severity === "major");
  for (const category of approved) {
    const finding = serious.find((each) => each.category === category);
    if (!finding) continue;
    const message = `needs_revision, because of the ${finding.severity} finding of this category; approve only beside Minor ones`;
    issues.push({ code: "custom", path: ["verdicts", category], message, input: value });
  }
  const isUnplaced = serious.some(({ severity, category }) => severity === "critical" && category === undefined);
  if (!isUnplaced || approved.length < CATEGORIES.length) return;
  const message = "needs_revision in the category of the Critical finding; approve only beside Minor ones";
  issues.push({ code: "custom", path: ["verdicts"], message, input: value });
}

/** Accepts `verdicts` as a mapping, as a list of entries, or as three fields side by side. */
function parseVerdicts(answer: Fields): Fields {
  const given = answer["verdicts"] ?? answer;
  const entries = Array.isArray(given)
    ? given.map((entry): [string, unknown] => [getFirstText(entry, "category", "dimension", "name") ?? "", entry])
    : Object.entries(toFields(given));
  return Object.fromEntries(
    entries.map(([category, verdict]) => [
      category.toLowerCase(),
      getFirstText(verdict, "verdict", "decision", "value") ?? verdict,
    ]),
  );
}

export const Verification = createLenientContract(
  z.object({
    ...SHOWN_FIELDS,
    status: z
      .enum(["DONE", "NEEDS_REVISION", "ERROR"])
      .describe("NEEDS_REVISION if a criterion is not met or something was broken; ERROR if you could not verify"),
    findings: z
      .array(z.object(shownFinding))
      .describe("what is missing or wrong, and what is required instead")
      .optional(),
  }),
  z.preprocess(
    (value) => ({ ...toFields(value), status: parseVerifierStatus(toFields(value)) }),
    z.object({ ...READ_FIELDS, findings: Findings }),
  ),
);

/** Reads the status, or the result of the verifier's own gate if it is worse. */
function parseVerifierStatus(answer: Fields): unknown {
  const gate = getFirstText(answer, "gate_status") ?? getFirstText(answer["evidence_gate"], "gate_status");
  if (gate !== undefined && /^fail/i.test(gate) && answer["status"] !== "ERROR") return "NEEDS_REVISION";
  const status = answer["status"];
  return typeof status === "string" && /^fail/i.test(status) ? "NEEDS_REVISION" : status;
}

export const Knowledge = createLenientContract(
  z.object({
    ...SHOWN_FIELDS,
    decision_log_entries: z
      .array(
        z.object({
          id: z.string().describe("DL-1, DL-2, …"),
          title: z.string().describe("what was decided"),
          rationale: z.string().describe("the reason and the rejected alternative"),
        }),
      )
      .describe("decisions that matter in a year")
      .optional(),
    artifact_evaluations: z
      .array(
        z.object({
          artifact_path: z.string().describe("document that you used"),
          usefulness_score: z.int().min(1).max(10).describe("how useful it was"),
          clarity_score: z.int().min(1).max(10).describe("how clear it was"),
          missing_information: z.string().describe("what was missing").optional(),
        }),
      )
      .optional(),
    instruction_updates: z
      .array(
        z.object({
          file_path: z.string().describe(".github/copilot-instructions.md, or a file below .github/instructions/"),
          change_type: z.enum(CHANGES).describe("the change to the file"),
          change_summary: z.string().describe("the text to write, so that others can apply it"),
        }),
      )
      .describe("proposed instructions for agents in this repository; a person decides")
      .optional(),
  }),
  z.looseObject({
    ...READ_FIELDS,
    decision_log_entries: z.preprocess(
      (value) => toList(value).map((entry) => (typeof entry === "string" ? { title: entry } : entry)),
      z.array(z.looseObject({})),
    ),
    instruction_updates: z.preprocess((value) => toList(value).flatMap(parseInstructionUpdate), z.array(z.unknown())),
  }),
);

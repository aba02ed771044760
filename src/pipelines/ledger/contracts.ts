import { z } from "zod";
import { contract, type Fields, Findings, fieldsOf, firstText, listOf, Text, textOf } from "./loose.ts";
import { Judgement, Severity, Status } from "./words.ts";

export const PERSPECTIVES = ["security-sentinel", "architecture-guardian", "pragmatic-verifier"] as const;
export const CATEGORIES = ["security", "architecture", "correctness"] as const;
export const FOCUSES = ["architecture", "impact", "dependencies", "patterns"] as const;

/** What every agent of this pipeline is shown to say about its dispatch, beside what it delivers. */
export const completion = {
  status: z.string().describe("DONE, or ERROR if the work could not be done"),
  summary: z.string().describe("one or two sentences, at most 200 characters"),
  error_class: z.string().describe("with ERROR: transient or deterministic").optional(),
};

const ErrorClass = z.preprocess(
  (said) => (typeof said === "string" ? said.trim().toLowerCase() : said),
  z.enum(["transient", "deterministic"]).optional().catch(undefined),
);

/** What is read of it; whatever else an agent says stays part of its answer. */
export const said = {
  status: Status.nullish().transform((status) => status ?? "DONE"),
  summary: Text,
  error_class: ErrorClass,
  artifact_evaluations: z.preprocess((value) => listOf(value).flatMap(evaluationOf), z.array(z.unknown())),
};
export type Said = { readonly status: Status; readonly summary?: string | undefined; readonly error_class?: unknown };

const document = <Shown extends z.ZodRawShape>(shown: Shown) =>
  contract(z.object({ ...completion, ...shown }), z.looseObject(said));

export const Research = document({
  findings: z.array(
    z.object({
      id: z.string().describe("F-1, F-2, …"),
      title: z.string(),
      detail: z.string(),
      evidence: z.array(z.string().describe("path:line")),
    }),
  ),
  source_files_examined: z.array(z.string()),
});

export const Specification = document({
  feature_name: z.string(),
  functional_requirements: z.array(z.object({ id: z.string().describe("FR-1, FR-2, …"), text: z.string() })),
  acceptance_criteria: z.array(
    z.object({
      id: z.string().describe("AC-1, AC-2, …"),
      text: z.string(),
      test_method: z.string().describe("inspection, demonstration, test or analysis").optional(),
    }),
  ),
  edge_cases: z.array(z.string()).optional(),
});

export const Design = document({
  architecture: z.string(),
  decisions: z.array(
    z.object({
      id: z.string().describe("D-1, D-2, …"),
      title: z.string(),
      risk: z.string().describe("🟢, 🟡 or 🔴").optional(),
      rationale: z.string(),
    }),
  ),
});

export const Implementation = document({
  changes: z.array(z.object({ path: z.string(), description: z.string() })),
  self_fix_attempts: z.number().optional(),
});

export const RequestEvaluation = contract(
  z.object({
    ...completion,
    concerns: z.array(
      z.object({
        kind: z.string().describe("scope, conflict or vagueness"),
        severity: z.string().describe("Blocker, Critical, Major or Minor"),
        text: z.string(),
      }),
    ),
  }),
  z.object({
    ...said,
    concerns: z.preprocess(
      (value) => listOf(value).map(concernOf),
      z.array(
        z.object({ kind: z.string(), severity: z.enum(["blocker", "critical", "major", "minor"]), text: z.string() }),
      ),
    ),
  }),
);
export type Concern = z.infer<typeof RequestEvaluation>["concerns"][number];

function concernOf(value: unknown): Fields {
  const severity = Severity.catch("major").parse(fieldsOf(value)["severity"]);
  return { kind: firstText(value, "kind", "type", "category") ?? "concern", severity, text: textOf(value) };
}

const shownFindings = z
  .array(
    z.object({
      severity: z.string().describe("Blocker, Critical, Major or Minor"),
      category: z.string().describe("security, architecture or correctness").optional(),
      message: z.string(),
      files: z.array(z.string()).optional(),
    }),
  )
  .optional();

const JUDGEMENT = "approve, needs_revision or blocker";
export const Verdict = contract(
  z.object({
    ...completion,
    verdicts: z.object({
      security: z.string().describe(JUDGEMENT),
      architecture: z.string().describe(JUDGEMENT),
      correctness: z.string().describe(JUDGEMENT),
    }),
    findings: shownFindings,
  }),
  z.preprocess(
    (value) => ({ ...fieldsOf(value), verdicts: verdictsIn(fieldsOf(value)) }),
    z.object({
      ...said,
      verdicts: z.object({ security: Judgement, architecture: Judgement, correctness: Judgement }),
      findings: Findings,
    }),
  ),
);
export type Verdict = z.infer<typeof Verdict>;

/** `verdicts` as a mapping or as a list of entries, or the three categories side by side. */
function verdictsIn(answer: Fields): Fields {
  const given = answer["verdicts"] ?? answer;
  const entries = Array.isArray(given)
    ? given.map((entry): [string, unknown] => [firstText(entry, "category", "dimension", "name") ?? "", entry])
    : Object.entries(fieldsOf(given));
  return Object.fromEntries(
    entries.map(([category, verdict]) => [
      category.toLowerCase(),
      firstText(verdict, "verdict", "decision", "value") ?? verdict,
    ]),
  );
}

export const Verification = contract(
  z.object({
    ...completion,
    status: z.string().describe("DONE, NEEDS_REVISION if the task must be worked on again, or ERROR"),
    findings: shownFindings,
  }),
  z.preprocess(
    (value) => ({ ...fieldsOf(value), status: verifiedStatus(fieldsOf(value)) }),
    z.object({ ...said, findings: Findings }),
  ),
);

/** A verifier may name its status, or say only how its own gate came out; the worse of the two counts. */
function verifiedStatus(answer: Fields): unknown {
  const gate = firstText(answer, "gate_status") ?? firstText(answer["evidence_gate"], "gate_status");
  if (gate !== undefined && /^fail/i.test(gate) && answer["status"] !== "ERROR") return "NEEDS_REVISION";
  const status = answer["status"];
  return typeof status === "string" && /^fail/i.test(status) ? "NEEDS_REVISION" : status;
}

const CHANGES = ["create", "append", "modify", "delete"];
export const Knowledge = contract(
  z.object({
    ...completion,
    decision_log_entries: z.array(z.object({ id: z.string(), title: z.string(), rationale: z.string() })).optional(),
    artifact_evaluations: z
      .array(
        z.object({
          artifact_path: z.string(),
          usefulness_score: z.number().describe("1 to 10"),
          clarity_score: z.number().describe("1 to 10"),
          missing_information: z.string().optional(),
        }),
      )
      .optional(),
    instruction_updates: z
      .array(
        z.object({
          file_path: z.string().describe(".github/copilot-instructions.md, or a file below .github/instructions/"),
          change_type: z.string().describe(CHANGES.join(", ")),
          change_summary: z.string(),
        }),
      )
      .optional(),
  }),
  z.looseObject({
    ...said,
    decision_log_entries: z.preprocess(
      (value) => listOf(value).map((entry) => (typeof entry === "string" ? { title: entry } : entry)),
      z.array(z.looseObject({})),
    ),
    instruction_updates: z.preprocess((value) => listOf(value).flatMap(updateOf), z.array(z.unknown())),
  }),
);

export type Evaluation = {
  readonly artifact_path: string;
  readonly usefulness_score: number;
  readonly clarity_score: number;
  readonly missing_information: string | null;
  readonly inaccuracies: string | null;
  readonly impact_on_work: string | null;
};

/** Only what the ledger can hold: a path of the repository, and scores from 1 to 10. */
export function evaluationOf(value: unknown): Evaluation[] {
  const fields = fieldsOf(value);
  const artifact_path = firstText(value, "artifact_path", "path") ?? "";
  const score = (name: string): number => Math.round(Number(fields[name]));
  const scores = { usefulness_score: score("usefulness_score"), clarity_score: score("clarity_score") };
  if (artifact_path === "" || /^(?:\/|\.\.\/)/.test(artifact_path)) return [];
  if (!Object.values(scores).every((each) => each >= 1 && each <= 10)) return [];
  const note = (name: string): string | null => firstText(value, name)?.slice(0, 2000) ?? null;
  return [
    {
      artifact_path,
      ...scores,
      missing_information: note("missing_information"),
      inaccuracies: note("inaccuracies"),
      impact_on_work: note("impact_on_work"),
    },
  ];
}

export type InstructionUpdate = {
  readonly file_path: string;
  readonly change_type: string;
  readonly change_summary: string;
};

/** Proposals about anything but the instructions for agents are no instruction updates. */
export function updateOf(value: unknown): InstructionUpdate[] {
  const file_path = firstText(value, "file_path", "path") ?? "";
  const change_type = firstText(value, "change_type", "type")?.toLowerCase() ?? "";
  const allowed = file_path.startsWith(".github/instructions/") || file_path === ".github/copilot-instructions.md";
  if (!allowed || file_path.includes("..") || !CHANGES.includes(change_type)) return [];
  return [
    { file_path, change_type, change_summary: (firstText(value, "change_summary", "summary") ?? "").slice(0, 1000) },
  ];
}

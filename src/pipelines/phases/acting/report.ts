import { z } from "zod";
import { ALWAYS, createFailureField, createReplyFields, requireFailureClass } from "./reply.ts";

const STATUSES = ["COMPLETE", "NEEDS_INPUT", "FAILED", "ABSTAIN"] as const;

const Option = z.object({
  id: z.string().describe("one word"),
  description: z.string().min(5),
  pros: z.array(z.string()).optional(),
  cons: z.array(z.string()).optional(),
  affected_files: z.array(z.string()).optional(),
});

const Clarification = z.object({
  options: z.array(Option).min(2).max(3).describe("two or three"),
  impact_analysis: z.string().min(10).describe("the question, and what depends on its answer"),
  recommended_option: z.string().describe("the id of one option"),
  recommended_option_rationale: z.string().min(10),
});

const FactClaim = z.object({
  subject: z.string().optional(),
  fact: z.string().optional(),
  citations: z.array(z.string()).optional(),
  reason: z.string().optional(),
  category: z.string().optional(),
});
export type FactClaim = z.infer<typeof FactClaim>;

const changes = z
  .array(
    z.object({
      file: z.string(),
      action: z.enum(["create", "modify", "delete"]).optional(),
      summary: z.string().default("").describe("one sentence"),
    }),
  )
  .default([])
  .meta(ALWAYS);
const ui_changes = z
  .array(
    z.object({
      file: z.string(),
      component: z.string().default(""),
      summary: z.string().default("").describe("what users can do now"),
    }),
  )
  .default([])
  .meta(ALWAYS);
const docs_created = z
  .array(z.object({ path: z.string(), title: z.string().default("") }))
  .default([])
  .meta(ALWAYS);
const docs_updated = z
  .array(z.object({ path: z.string(), changes: z.string().default("") }))
  .default([])
  .meta(ALWAYS);

const CheckState = z.enum(["PASS", "FAIL", "NOT_AVAILABLE", "NOT_RUN"]);
const details = z.string().optional();
/** Claims of the agent. They are shown beside the engine's evidence and never replace it. */
const checkClaims = {
  tests: z.object({ individual: CheckState.optional(), full_suite: CheckState.optional(), details }).optional(),
  build: z.object({ state: CheckState, details }).optional(),
  lint: z.object({ state: CheckState, details }).optional(),
};

/** Report fields per executor: its file lists, and the checks that it can run. */
const OWN_FIELDS: Readonly<Record<string, z.ZodRawShape>> = {
  CoreImplementer: { changes, ...checkClaims },
  UIImplementer: { ui_changes, ...checkClaims },
  PlatformEngineer: { changes, ...checkClaims },
  TechnicalWriter: { docs_created, docs_updated },
  BrowserTester: { changes },
};

/** Report contract of an executor, with its own name and fields. */
export function createReportContract(agent: string): z.ZodType<Report> {
  const form = z
    .object({
      ...createReplyFields(agent, STATUSES),
      ...createFailureField(STATUSES),
      summary: z
        .string()
        .default("")
        .meta({
          description: "what was done and why, in two sentences; with FAILED, the obstacle",
          ...ALWAYS,
        }),
      ...OWN_FIELDS[agent],
      not_changed: z.array(z.object({ file: z.string(), reason: z.string().min(1) })).default([]),
      commit_subject: z.string().optional().meta({ due: "only if a person's finding asks for another commit subject" }),
      facts: z.array(FactClaim).default([]).describe("what later runs should know"),
      clarification_request: Clarification.optional().meta({ due: "only with status: NEEDS_INPUT" }),
    })
    .check(requireFailureClass);
  return z.preprocess(addMissingSummary, form.transform(fillReport));
}

/** Fills the fields of other executors with empty values. */
const fillReport = (reply: object): Report => Report.parse(reply);

const Report = z.object({
  ...createReplyFields("", STATUSES),
  agent: z.string(),
  ...createFailureField(STATUSES),
  summary: z.string().default(""),
  ...{ changes, ui_changes, docs_created, docs_updated },
  ...checkClaims,
  not_changed: z.array(z.object({ file: z.string(), reason: z.string() })).default([]),
  commit_subject: z.string().optional(),
  facts: z.array(FactClaim).default([]),
  clarification_request: Clarification.optional(),
});
export type Report = z.infer<typeof Report>;

const ReportWithoutSummary = z.looseObject({
  status: z.string(),
  summary: z.undefined().optional(),
  definition_of_done: z.object({ unchecked_items: z.array(z.string()) }).optional(),
  next_steps: z.array(z.string()).default([]),
});

/** Reports of some projects have no summary; the reason is then taken from the unchecked items and next steps. */
function addMissingSummary(reply: unknown): unknown {
  const { data } = ReportWithoutSummary.safeParse(reply);
  if (!data || data.status === "COMPLETE") return reply;
  return { ...data, summary: [...(data.definition_of_done?.unchecked_items ?? []), ...data.next_steps].join("; ") };
}

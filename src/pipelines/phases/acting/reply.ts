import { z } from "zod";

export const FAILURE_CLASSES = ["transient", "fixable", "needs_replan", "escalate", "model_unavailable"] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Read-only plan reviewers have no transient failure, so the form does not offer it. */
const LASTING_CLASSES = ["fixable", "needs_replan", "escalate", "model_unavailable"] as const;

/** Statuses that require a failure class, because it selects the route. */
const CLASSIFIED: ReadonlySet<string> = new Set(["NEEDS_REVISION", "FAILED", "REJECTED", "NEEDS_INPUT"]);

/**
 * Fields of every reply. None has a default: without them, the answer is invalid.
 * @rule P-57 (declaration) A reply without its agent name, status, confidence, abstention or failure class is invalid
 *   and goes back with the validation errors.
 */
export const createReplyFields = <const Statuses extends readonly [string, ...string[]]>(
  agent: string,
  statuses: Statuses,
) => ({
  // Accepts the suffix that some projects use; the form shows the plain name.
  agent: z.preprocess(stripAgentSuffix, z.literal(agent)),
  status: z.enum(statuses),
  confidence: z.number().min(0).max(1).describe("0 to 1"),
  abstain: z.object({
    is_abstaining: z.boolean(),
    reasons: z.array(z.string().describe("why you cannot judge; empty list if you can")),
  }),
});

/** Failure class, for agents with a failure status. NEEDS_INPUT requires its clarification request instead. */
export const createFailureField = (statuses: readonly string[]) => ({
  failure_classification: z
    .enum(FAILURE_CLASSES)
    .optional()
    .meta({ due: formatDueStatuses(statuses) }),
});

/** The same for read-only plan reviewers. */
export const createLastingFailureField = (due: string) => ({
  failure_classification: z.enum(LASTING_CLASSES).optional().meta({ due }),
});

export const formatDueStatuses = (statuses: readonly string[]): string =>
  `only with status: ${statuses.filter((status) => CLASSIFIED.has(status) && status !== "NEEDS_INPUT").join(" or ")}`;

type ReplyStatus = {
  readonly status: string;
  readonly failure_classification?: FailureClass | undefined;
  readonly clarification_request?: unknown;
};

/** For `.check()`: a failure without its class is invalid; a question needs none. */
export function requireFailureClass({ value, issues }: z.core.ParsePayload<ReplyStatus>): void {
  if (!CLASSIFIED.has(value.status) || value.failure_classification !== undefined) return;
  if (value.status === "NEEDS_INPUT" && value.clarification_request !== undefined) return;
  const message = `one of ${FAILURE_CLASSES.join(" | ")}, because the status is ${value.status}`;
  issues.push({ code: "custom", path: ["failure_classification"], message, input: value });
}

/** The prompt always asks for this field; answers without it are accepted. */
export const ALWAYS = { due: "always" };

const SUFFIX = /-subagent$/;

export function stripAgentSuffix(name: unknown): unknown {
  return typeof name === "string" ? name.replace(SUFFIX, "") : name;
}

/** True if a reply uses the project's own schema. Those name their version; the built-in one does not. */
export const isOwnForm = (reply: unknown): reply is Readonly<Record<string, unknown>> =>
  typeof reply === "object" && reply !== null && "schema_version" in reply;

type AbstainingReply = {
  readonly status: string;
  readonly abstain: { readonly is_abstaining: boolean; readonly reasons: readonly string[] };
};

/** An agent that declares an abstention abstains, whatever else it says. */
export const isAbstaining = ({ status, abstain }: AbstainingReply): boolean =>
  status === "ABSTAIN" || abstain.is_abstaining;

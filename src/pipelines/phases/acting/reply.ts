import { z } from "zod";

export const FAILURE_CLASSES = ["transient", "fixable", "needs_replan", "escalate", "model_unavailable"] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Whoever only reads a plan cannot fail in passing, and is not offered the word. */
const LASTING_CLASSES = ["fixable", "needs_replan", "escalate", "model_unavailable"] as const;

/** With these a reply has to say what kind of failure it is, or nobody would know where to send it. */
const CLASSIFIED: ReadonlySet<string> = new Set(["NEEDS_REVISION", "FAILED", "REJECTED", "NEEDS_INPUT"]);

/**
 * What every agent says about its own answer. None of it has a default: an answer without it is not one.
 * @rule P-57 (declaration) A reply that leaves out who speaks, how sure it is, whether it abstains or how it failed is
 *   invalid and goes back with what is missing.
 */
export const replyOf = <const Statuses extends readonly [string, ...string[]]>(agent: string, statuses: Statuses) => ({
  // Some projects call their agents so; the form shows the one name.
  agent: z.preprocess(withoutSuffix, z.literal(agent)),
  status: z.enum(statuses),
  confidence: z.number().min(0).max(1).describe("0 to 1"),
  abstain: z.object({
    is_abstaining: z.boolean(),
    reasons: z.array(z.string().describe("why you cannot say; an empty list if you can")),
  }),
});

/** For agents whose statuses can mean a failure: what kind of one. A question is due with its request instead. */
export const failureOf = (statuses: readonly string[]) => ({
  failure_classification: z
    .enum(FAILURE_CLASSES)
    .optional()
    .meta({ due: onlyWith(statuses) }),
});

/** The same for who only reads a plan. */
export const lastingFailureOf = (due: string) => ({
  failure_classification: z.enum(LASTING_CLASSES).optional().meta({ due }),
});

export const onlyWith = (statuses: readonly string[]): string =>
  `only with status: ${statuses.filter((status) => CLASSIFIED.has(status) && status !== "NEEDS_INPUT").join(" or ")}`;

type ReplyStatus = {
  readonly status: string;
  readonly failure_classification?: FailureClass | undefined;
  readonly clarification_request?: unknown;
};

/** For `.check()`: a failure without its class is invalid; a question says by itself where it goes. */
export function classified({ value, issues }: z.core.ParsePayload<ReplyStatus>): void {
  if (!CLASSIFIED.has(value.status) || value.failure_classification !== undefined) return;
  if (value.status === "NEEDS_INPUT" && value.clarification_request !== undefined) return;
  const message = `one of ${FAILURE_CLASSES.join(" | ")}, because the status is ${value.status}`;
  issues.push({ code: "custom", path: ["failure_classification"], message, input: value });
}

/** Of a field: asked of everybody, and read without, because a good answer in another form is still one. */
export const ALWAYS = { due: "always" };

const SUFFIX = /-subagent$/;

export function withoutSuffix(name: unknown): unknown {
  return typeof name === "string" ? name.replace(SUFFIX, "") : name;
}

/** Whether a reply is in the form of the project's own schemas: those name their version, ours has none. */
export const inOwnForm = (said: unknown): said is Readonly<Record<string, unknown>> =>
  typeof said === "object" && said !== null && "schema_version" in said;

type Abstaining = {
  readonly status: string;
  readonly abstain: { readonly is_abstaining: boolean; readonly reasons: readonly string[] };
};

/** An agent that says that it has no opinion has none, whatever else it says. */
export const isAbstaining = ({ status, abstain }: Abstaining): boolean => status === "ABSTAIN" || abstain.is_abstaining;

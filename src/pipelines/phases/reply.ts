import { z } from "zod";

export const FAILURE_CLASSES = ["transient", "fixable", "needs_replan", "escalate", "model_unavailable"] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** With these a reply has to say what kind of failure it is, or nobody would know where to send it. */
const CLASSIFIED: ReadonlySet<string> = new Set(["NEEDS_REVISION", "FAILED", "REJECTED", "NEEDS_INPUT"]);

/** What every agent says about its own answer. None of it has a default: an answer without it is not one. */
export const replyOf = <const Statuses extends readonly [string, ...string[]]>(agent: string, statuses: Statuses) => ({
  schema_version: z.string().optional(),
  agent: z.enum([agent, `${agent}-subagent`]),
  status: z.enum(statuses),
  confidence: z.number().min(0).max(1).describe("0 to 1"),
  abstain: z.object({ is_abstaining: z.boolean(), reasons: z.array(z.string()) }),
  failure_classification: z.enum(FAILURE_CLASSES).optional(),
  trace_id: z.string().optional(),
});

type Said = { readonly status: string; readonly failure_classification?: FailureClass | undefined };

/** For `.check()`: a failure without its class is invalid. */
export function classified({ value, issues }: z.core.ParsePayload<Said>): void {
  if (!CLASSIFIED.has(value.status) || value.failure_classification !== undefined) return;
  const message = `one of ${FAILURE_CLASSES.join(" | ")}, because the status is ${value.status}`;
  issues.push({ code: "custom", path: ["failure_classification"], message, input: value });
}

/** For `.check()`: who only reads a plan cannot fail in passing. */
export function lasting({ value, issues }: z.core.ParsePayload<Said>): void {
  if (value.failure_classification !== "transient") return;
  const message = "any class but transient: this agent has nothing that passes by itself";
  issues.push({ code: "custom", path: ["failure_classification"], message, input: value });
}

type Abstaining = {
  readonly status: string;
  readonly abstain: { readonly is_abstaining: boolean; readonly reasons: readonly string[] };
};

/** An agent that says that it has no opinion has none, whatever else it says. */
export const isAbstaining = ({ status, abstain }: Abstaining): boolean => status === "ABSTAIN" || abstain.is_abstaining;

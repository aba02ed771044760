import type { Decision } from "../../core/authoring/decision.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import type { LoopEnd, Verbs } from "../../core/authoring/verbs.ts";
import type { DispatchResult, DocumentOrder, FeatureContext } from "./context.ts";

/** @rule C-07 (policy) A parallel cluster needs two outputs to be joined; with fewer it has failed. */
const ENOUGH = 2;
/**
 * @rule C-09 (policy) Verification is followed by at most three rounds of replan, fix and verification, the last fix
 *   included.
 */
export const REPLANS = 3;

export type Cluster = {
  readonly members: readonly DispatchResult[];
  /** Names of those that delivered. */
  readonly there: readonly string[];
  /** Set when too few delivered for anybody to join them. */
  readonly error?: string;
};

/**
 * Pattern A: all at once, each retried once; two outputs are enough for whoever joins them, fewer are an error.
 * @rule C-34 (code) A failed cluster halts research and design review, starts verification over, and sends a review to
 *   the planner.
 */
export async function fullyParallel(context: FeatureContext, orders: readonly DocumentOrder[]): Promise<Cluster> {
  const members = await context.together(orders);
  const there = members.filter((member) => member.after).map((member) => member.name);
  if (there.length >= ENOUGH) return { members, there };
  return { members, there, error: `only ${there.length} of ${orders.length} delivered: ${told(members)}` };
}

export type GatedResults = { readonly gate: DispatchResult; readonly others: readonly DispatchResult[] };

/**
 * Pattern B: one agent opens the gate for the others; where it stays closed, they are not sent.
 * @rule C-08 (code) The gate agent comes first; where it fails, the others are left out and the aggregator is told.
 */
export async function gateThenParallel(
  context: FeatureContext,
  order: { gate: DocumentOrder; holds: boolean; rest: readonly DocumentOrder[] },
): Promise<GatedResults> {
  const [gate] = await context.together([order.gate]);
  if (!gate) throw new Error("one order gives one answer");
  const opens = order.holds && gate.status === "DONE";
  return { gate, others: opens ? await context.together(order.rest) : [] };
}

type WithDecision = { readonly decision: Decision };

/** Pattern C: verify; then at most three times replan, fix and verify again, so that the last fix is verified too. */
export function replanLoop<T extends WithDecision>(
  { loop }: Pick<Verbs<unknown>, "loop">,
  round: { verify: () => Promise<T>; replan: (findings: readonly Finding[]) => Promise<void> },
): Promise<LoopEnd<T>> {
  return loop({ max: 1 + REPLANS }, async ({ round: number, findings }) => {
    if (number > 1) await round.replan(findings);
    return round.verify();
  });
}

const told = (members: readonly DispatchResult[]): string =>
  members.flatMap(({ name, after, message }) => (after ? [] : [`${name}: ${message}`])).join("; ");

import type { Decision } from "../../core/authoring/decision.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import type { LoopEnd, Verbs } from "../../core/authoring/verbs.ts";
import type { DispatchResult, DocumentOrder, FeatureContext } from "./context.ts";

/**
 * @rule C-07 (policy) Pattern A: all agents run in parallel, errors are retried once, and the aggregator needs at least
 *   two outputs; fewer is a cluster ERROR.
 */
const ENOUGH = 2;
/** @rule C-09 (policy) Pattern C: at most three rounds of replan, fix and verify, so that the last fix is verified. */
export const REPLANS = 3;

export type Cluster = {
  readonly members: readonly DispatchResult[];
  /** Names of the agents that delivered. */
  readonly there: readonly string[];
  /** Set if too few agents delivered. */
  readonly error?: string;
};

/**
 * Pattern A: runs all agents in parallel with one retry each.
 * @rule C-34 (code) A cluster ERROR halts the run in research and CT, starts a replan round in V, and goes to the
 *   planner in R.
 */
export async function runFullyParallel(context: FeatureContext, orders: readonly DocumentOrder[]): Promise<Cluster> {
  const members = await context.together(orders);
  const there = members.filter((member) => member.after).map((member) => member.name);
  if (there.length >= ENOUGH) return { members, there };
  return { members, there, error: `only ${there.length} of ${orders.length} delivered: ${formatFailures(members)}` };
}

export type GatedResults = { readonly gate: DispatchResult; readonly others: readonly DispatchResult[] };

/**
 * Pattern B: runs the gate agent first, and the others only if it passes.
 * @rule C-08 (code) Pattern B: the gate agent runs first. If it fails, the parallel agents are skipped and the
 *   aggregator runs.
 */
export async function runGateThenParallel(
  context: FeatureContext,
  order: { gate: DocumentOrder; holds: boolean; rest: readonly DocumentOrder[] },
): Promise<GatedResults> {
  const [gate] = await context.together([order.gate]);
  if (!gate) throw new Error("Expected one answer for one order.");
  const opens = order.holds && gate.status === "DONE";
  return { gate, others: opens ? await context.together(order.rest) : [] };
}

type WithDecision = { readonly decision: Decision };

/** Pattern C: verifies, then replans, fixes and verifies again at most three times. */
export function runReplanLoop<T extends WithDecision>(
  { loop }: Pick<Verbs<unknown>, "loop">,
  round: { verify: () => Promise<T>; replan: (findings: readonly Finding[]) => Promise<void> },
): Promise<LoopEnd<T>> {
  return loop({ max: 1 + REPLANS }, async ({ round: number, findings }) => {
    if (number > 1) await round.replan(findings);
    return round.verify();
  });
}

const formatFailures = (members: readonly DispatchResult[]): string =>
  members.flatMap(({ name, after, message }) => (after ? [] : [`${name}: ${message}`])).join("; ");

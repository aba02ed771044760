import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/finding.ts";
import type { LoopEnd, Verbs } from "../../core/verbs.ts";
import { withVerdict } from "./artifacts.ts";
import type { Feature, Order, Sent } from "./feature.ts";
import { isSerious } from "./findings.ts";
import { type Aggregate, type Member, stricter } from "./rules.ts";

const ENOUGH = 2;
export const REPLANS = 3;

export type Cluster = {
  readonly members: readonly Sent[];
  /** Names of those that delivered. */
  readonly there: readonly string[];
  /** Set when too few delivered for anybody to join them. */
  readonly error?: string;
};

/** Pattern A: all at once, each retried once; two outputs are enough for whoever joins them, fewer are an error. */
export async function fullyParallel(feature: Feature, orders: readonly Order[]): Promise<Cluster> {
  const members = await feature.together(orders);
  const there = members.filter((member) => member.after).map((member) => member.name);
  if (there.length >= ENOUGH) return { members, there };
  return { members, there, error: `only ${there.length} of ${orders.length} delivered: ${told(members)}` };
}

export type Gated = { readonly gate: Sent; readonly others: readonly Sent[] };

/** Pattern B: one agent opens the gate for the others; where it stays closed, they are not sent. */
export async function gateThenParallel(
  feature: Feature,
  order: { gate: Order; holds: boolean; rest: readonly Order[] },
): Promise<Gated> {
  const [gate] = await feature.together([order.gate]);
  if (!gate) throw new Error("one order gives one answer");
  const opens = order.holds && gate.status === "DONE";
  return { gate, others: opens ? await feature.together(order.rest) : [] };
}

type Verified = { readonly decision: Decision };

/** Pattern C: verify; then at most three times replan, fix and verify again, so that the last fix is verified too. */
export function replanLoop<T extends Verified>(
  { loop }: Pick<Verbs<unknown>, "loop">,
  round: { verify: () => Promise<T>; replan: (findings: readonly Finding[]) => Promise<void> },
): Promise<LoopEnd<T>> {
  return loop({ max: 1 + REPLANS }, async ({ round: number, findings }) => {
    if (number > 1) await round.replan(findings);
    return round.verify();
  });
}

type Joining = {
  readonly order: Order;
  readonly members: readonly Sent[];
  /** What the cluster's table makes of them. */
  readonly table: Aggregate;
  readonly findings?: readonly Finding[];
  readonly facts?: readonly string[];
};

export type Joined = { readonly aggregate: Aggregate; readonly findings: readonly Finding[]; readonly sent: Sent };

/** The aggregator joins the reports; what the table says of them stands below its document, and above its word. */
export async function join(write: Verbs<unknown>["write"], feature: Feature, joining: Joining): Promise<Joined> {
  const { order, members, table, facts = [] } = joining;
  const statuses = Object.fromEntries(members.map(({ name, status }) => [name, status]));
  const sent = await feature.alone({ ...order, more: { ...order.more, statuses } });
  const aggregate = stricter(table, sent.status);
  const found = [...(joining.findings ?? []), ...members.flatMap(saidBy), ...saidBy(sent)];
  const findings = unique(found);
  const verdict = { aggregate, said: sent.status, members: members.map(plain), findings, facts };
  await write(feature.at(order.outputs[0]), withVerdict(sent.text, verdict));
  return { aggregate, findings, sent };
}

/** What an agent found; one that objects and lists nothing serious is taken at its word. */
const saidBy = ({ name, status, message, findings }: Sent): readonly Finding[] =>
  status === "NEEDS_REVISION" && !findings.some(isSerious)
    ? [...findings, { severity: "major", message, by: name }]
    : findings;

const plain = ({ name, status, findings }: Member): Member => ({ name, status, findings });

/** An aggregator repeats what it was given, and must not make it smaller: who said it first keeps it. */
const unique = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((finding, at) => findings.findIndex(({ message }) => message === finding.message) === at);

const told = (members: readonly Sent[]): string =>
  members.flatMap(({ name, after, message }) => (after ? [] : [`${name}: ${message}`])).join("; ");

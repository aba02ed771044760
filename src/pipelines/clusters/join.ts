import type { Finding } from "../../core/authoring/finding.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import { withVerdict } from "./artifacts.ts";
import { isSerious } from "./building/findings.ts";
import type { DispatchResult, DocumentOrder, FeatureContext } from "./context.ts";
import { addUpdate, listSectionTitles, type Memory } from "./memory/memory.ts";
import { type Aggregate, type ClusterMember, selectStricter } from "./rules.ts";

type JoinOrder = {
  readonly order: DocumentOrder;
  readonly members: readonly DispatchResult[];
  /** Result of the cluster's table for these members. */
  readonly table: Aggregate;
  readonly findings?: readonly Finding[];
  readonly facts?: readonly string[];
};

export type JoinResult = {
  readonly aggregate: Aggregate;
  readonly findings: readonly Finding[];
  readonly sent: DispatchResult;
};

/**
 * Joins the reports of a cluster. The table's result is appended to the aggregator's document and overrules a milder
 * status. If no report contains a finding, the engine writes the document without an aggregator.
 * @rule C-33 (code) Only the aggregator receives a v- or r- agent's NEEDS_REVISION; it causes no retry and no routing
 *   by itself.
 */
export async function joinReports(
  write: Verbs<unknown>["write"],
  context: FeatureContext,
  joining: JoinOrder,
): Promise<JoinResult> {
  const { order, members, table, facts = [] } = joining;
  const engineJoins = context.depth === "short" || hasNothingToJoin(joining);
  const sent = engineJoins ? joinWithoutAggregator(context, joining) : await dispatchAggregator(context, joining);
  const aggregate = engineJoins ? table : selectStricter(table, sent.status);
  const findings = removeRepeatedFindings([
    ...(joining.findings ?? []),
    ...members.flatMap(collectFindings),
    ...(engineJoins ? [] : collectFindings(sent)),
  ]);
  const said = engineJoins ? undefined : sent.status;
  const text = withVerdict(sent.text, { aggregate, said, members: members.map(toClusterMember), findings, facts });
  await write(context.at(order.outputs[0]), text);
  if (engineJoins) await context.remember(addIndexEntry(context, order, text));
  return { aggregate, findings, sent };
}

/** Every member is DONE and reported no finding. */
const hasNothingToJoin = ({ members, table, findings = [] }: JoinOrder): boolean =>
  table.status === "DONE" &&
  findings.length === 0 &&
  members.every((each) => each.status === "DONE" && !each.findings.length);

function dispatchAggregator(context: FeatureContext, { order, members }: JoinOrder): Promise<DispatchResult> {
  const statuses = Object.fromEntries(members.map(({ name, status }) => [name, status]));
  return context.alone({ ...order, more: { ...order.more, statuses } });
}

function joinWithoutAggregator(context: FeatureContext, { order, members, table }: JoinOrder): DispatchResult {
  const parts = members.map(({ name, message }) => `## ${name}\n\n${message}`);
  const text = [`# ${order.outputs[0]}`, ...parts].join("\n\n");
  const { status, why: message } = table;
  return { name: order.role.name, status, message, text, findings: [], outside: [], after: context.tree };
}

const addIndexEntry = ({ memory, at }: FeatureContext, { step, outputs }: DocumentOrder, text: string): Memory =>
  addUpdate(memory, {
    by: "engine",
    step,
    text: "joined by its table",
    path: at(outputs[0]),
    sections: listSectionTitles(text),
  });

/** Returns an agent's findings. If it objects without a serious finding, its message becomes one. */
const collectFindings = ({ name, status, message, findings }: DispatchResult): readonly Finding[] =>
  status === "NEEDS_REVISION" && !findings.some(isSerious)
    ? [...findings, { severity: "major", message, by: name }]
    : findings;

const toClusterMember = ({ name, status, findings }: ClusterMember): ClusterMember => ({ name, status, findings });

/** Removes repeated messages. The first author keeps the finding, because an aggregator may repeat it more mildly. */
const removeRepeatedFindings = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((finding, at) => findings.findIndex(({ message }) => message === finding.message) === at);

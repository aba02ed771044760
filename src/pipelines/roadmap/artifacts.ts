import type { z } from "zod";
import type { End } from "../../core/authoring/end.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import type { Json } from "../../core/text/json.ts";
import { type Item, RoadmapFile } from "./choosing/roadmap.ts";
import { getBlockFields, type ItemBlock } from "./recording/block.ts";
import { Memory } from "./recording/memory.ts";
import { toOneLine } from "./recording/short-text.ts";
import type { ItemAccount } from "./steps.ts";

/** Structured files that this pipeline reads and writes. */
export const ARTIFACTS: readonly { readonly name: string; readonly path: string; readonly schema: z.ZodType }[] = [
  { name: "roadmap", path: "roadmap.json", schema: RoadmapFile },
  { name: "memory", path: ".signalbox/memory/<roadmap file>", schema: Memory },
];

/**
 * One report per item, latest iteration first. It is stored in the tool's own folder, because agents must not learn
 * from it how they are judged.
 */
export function getIterationReportPath(file: string, { id }: Pick<Item, "id">): string {
  const toFileName = (text: string) => text.replaceAll(/[^\w.-]/g, "-");
  return `.signalbox/iterations/${toFileName(file.replace(/\.json$/, ""))}/${toFileName(String(id))}.md`;
}

export type IterationInput = {
  readonly run: string;
  readonly item: Item;
  /** The item was left in progress by a run that no longer exists. */
  readonly again: boolean;
  readonly account: ItemAccount;
  readonly block?: ItemBlock;
  /** Changed fields of `roadmap.json`. */
  readonly updates: readonly string[];
  readonly next: string;
};

/** An iteration for the run's report. */
export function summarizeIteration({ run, item, again, account, block, updates, next }: IterationInput) {
  const { dispatched, kept, gates, signatures, notRun, outputs, findings } = account;
  return {
    run,
    selected: `${item.id} ${item.title}`,
    ...(again ? { again: "left in progress by a run that no longer exists" } : {}),
    dispatch: [...dispatched],
    ...(kept.length > 0 ? { kept: [...kept] } : {}),
    gates: [...gates],
    signatures: [...signatures],
    updates: [...updates],
    next,
    ...(block ? { block: { ...getBlockFields(block), issues: [...block.issues] } } : {}),
    ...(findings.length > 0 ? { findings: findings.map(formatFinding) } : {}),
    ...(notRun.length > 0 ? { notRun: [...notRun] } : {}),
    outputs,
  };
}
export type IterationSummary = ReturnType<typeof summarizeIteration>;

/** Adds all iterations to the end of the run. */
export function addHistory(end: End, history: readonly IterationSummary[]): End {
  // Every report of this pipeline is an object.
  const report = end.report as Readonly<Record<string, Json>>;
  return { ...end, report: { ...report, iterations: [...history] } };
}

/** Fields of an iteration for `status`, one line each. */
export function toIterationNotes({
  selected,
  dispatch,
  kept = [],
  gates,
  signatures,
  updates,
  next,
  block,
  notRun = [],
}: IterationSummary) {
  return {
    item: selected,
    dispatch: dispatch.join(" → "),
    ...(kept.length > 0 ? { kept: kept.join(", ") } : {}),
    gates: gates.join(", "),
    signatures: signatures.join(", "),
    updates: updates.join(", "),
    next,
    blocked: block ? `${block.blockedBy}, ${block.blockedCategory}: ${block.blockedReason}` : "",
    issues: block ? block.issues.map(toOneLine).join("; ") : "",
    "not run": notRun.join(", "),
  };
}

/**
 * Formats the iteration report as Markdown.
 * @rule R-24 (declaration) Every iteration writes a report: selected item, dispatch, gates, signatures, state updates,
 *   next candidate.
 */
export function formatIterationReport(summary: IterationSummary): string {
  const {
    run,
    selected,
    again,
    dispatch,
    kept = [],
    gates,
    signatures,
    updates,
    next,
    block,
    findings = [],
    notRun = [],
  } = summary;
  return [
    "## Orchestration Iteration",
    "",
    `- Run: ${run}`,
    `- Selected item: ${selected}${again ? ` (${again})` : ""}`,
    `- Dispatch: ${dispatch.join(" → ") || "none"}`,
    ...(kept.length > 0 ? [`- Reused from the previous run: ${kept.join(", ")}`] : []),
    `- Gates: ${gates.join(", ") || "none"}`,
    `- Agent signatures: ${signatures.join(", ") || "none"}`,
    `- State updates: ${updates.join(", ")}`,
    `- Next candidate: ${next}`,
    ...(block ? [`- Blocked: ${block.blockedBy}, ${block.blockedCategory}: ${block.blockedReason}`] : []),
    ...formatReportSection("Issues", block?.issues ?? []),
    ...formatReportSection("Findings", findings),
    ...formatReportSection("Checks of the item that were not run", notRun),
    "",
  ].join("\n");
}

const formatFinding = ({ severity, message }: Finding): string => `${severity}: ${message}`;

const formatReportSection = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines.map((line) => `- ${line.replaceAll("\n", "\n  ")}`)];

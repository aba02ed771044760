import { explainSkippedExam, formatHalves, formatNewOnOld } from "../../core/checks/exam/exam-run-words.ts";
import { explainCheck, formatTestCounts, getOutcomeWord } from "../../core/checks/outcome/explain-check.ts";
import { counted } from "../../core/text/count.ts";
import { deduplicateEvidence, type EvidenceReport, formatTurn, getClaimant } from "../../views/evidence.ts";
import { formatClaim } from "../../views/format-claim.ts";
import type { DecisionReport } from "../../views/gates.ts";
import { toCheckState } from "../../views/page/rows/check-rows.ts";
import { formatCost } from "../../views/role-cost.ts";
import { STATES } from "../../views/states.ts";
import {
  escapeInline,
  formatCodeBlock,
  formatInlineCode,
  formatMarkdownTable,
  formatReportDuration,
  formatReportedCost,
  formatState,
  formatTimestamp,
  toGateState,
} from "./markdown-text.ts";
import type { RunReport } from "./run-report.ts";

/** Renders a run as one self-contained Markdown page. */
export function renderMarkdownReport(report: RunReport): string {
  const sections = [
    formatHead(report),
    formatSection("Caveats", formatCaveats(report)),
    formatSection("Request", formatRequest(report)),
    formatSection("Phases", formatPhases(report)),
    formatSection("Dispatches", formatDispatches(report)),
    formatSection("Gates", report.decisions.flatMap(formatDecision)),
    formatSection("Evidence", report.evidence.flatMap(formatEvidence)),
    formatSection("Steps of the pipeline", formatOwnSteps(report)),
    formatSection("Approvals", formatApprovals(report)),
    formatSection("Open findings", formatFindingLines(report)),
    formatSection("Cost", formatSpending(report)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function formatSection(title: string, lines: readonly string[]): readonly string[] {
  const last = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  return lines.length === 0 ? [] : [`## ${title}`, "", ...last];
}

function formatHead(report: RunReport): readonly string[] {
  const { state, status, exit, reason, confidence, commits, base } = report;
  const commit = commits
    .map((made) => `${formatInlineCode(made.commit)} on ${formatInlineCode(made.branch)}`)
    .join(", ");
  const facts: [string, string][] = [
    ["Run", formatInlineCode(report.run)],
    ["State", formatState(state)],
    ["Status", `${status}${exit === null ? "" : `, exit ${exit}`}${confidence ? `, confidence ${confidence}` : ""}`],
    ["Reason", reason ? escapeInline(reason, 600) : ""],
    ["Next", report.next.map(formatInlineCode).join("<br>")],
    ["No checks", report.exempt === null ? "" : escapeInline(report.exempt, 300)],
    ["Commit", commit || "none"],
    ["Not accepted", formatUnaccepted(report)],
    ["Base", formatInlineCode(base.commit)],
    [
      "Time",
      `${formatTimestamp(report.startedAt)} to ${formatTimestamp(report.lastAt)}, ${formatReportDuration(report.lastAt - report.startedAt)}`,
    ],
    ["Journal", `${report.head.seq} records, head ${formatInlineCode(report.head.chain)}`],
  ];
  return [
    `# ${STATES[state].glyph} ${escapeInline(report.pipeline)} v${report.version}: ${STATES[state].word}`,
    "",
    ...formatMarkdownTable(
      ["", ""],
      facts.filter(([, value]) => value !== ""),
    ),
  ];
}

function formatUnaccepted({ run, unaccepted }: RunReport): string {
  if (unaccepted === null) return "";
  return `tree ${formatInlineCode(unaccepted.tree)}: ${escapeInline(unaccepted.why, 300)}<br>${formatInlineCode(`signalbox land ${run} --unaccepted`)}`;
}

/** Formats what a person must know before taking the commit. */
function formatCaveats({ caveats }: RunReport): readonly string[] {
  return caveats.map((caveat) => `- ${escapeInline(caveat, 600)}`);
}

function formatRequest({ input }: RunReport): readonly string[] {
  const request = typeof input === "object" && input !== null && "request" in input ? input["request"] : undefined;
  if (typeof request !== "string") return formatCodeBlock(JSON.stringify(input, null, 2));
  const { request: _request, ...rest } = input as Record<string, unknown>;
  const others = Object.keys(rest).length > 0 ? ["", ...formatCodeBlock(JSON.stringify(rest, null, 2))] : [];
  return [...formatCodeBlock(request), ...others];
}

function formatPhases({ phases }: RunReport): readonly string[] {
  const rows = phases.map(({ title, shown, reason, ms, dispatches, retries }) => [
    escapeInline(title),
    [formatState(shown), ...(reason ? [escapeInline(reason)] : [])].join(": "),
    ms > 0 ? formatReportDuration(ms) : "",
    dispatches > 0 ? String(dispatches) : "",
    retries > 0 ? String(retries) : "",
  ]);
  return rows.length === 0 ? [] : formatMarkdownTable(["Phase", "State", "Time", "Attempts", "Retries"], rows);
}

function formatDispatches({ dispatches }: RunReport): readonly string[] {
  const rows = dispatches.map((each) => [
    escapeInline(each.phase),
    escapeInline([...new Set([each.role, each.instance, each.task])].filter(Boolean).join(" ")),
    `${formatState(each.state)}${each.adopted ? ", adopted" : ""}`,
    String(each.attempts),
    formatReportDuration(each.ms),
    each.usd === undefined ? "" : `$${each.usd.toFixed(2)}`,
    [
      each.changed.length > 0
        ? `changed ${each.changed.slice(0, 5).map(formatInlineCode).join(", ")}${each.changed.length > 5 ? " …" : ""}`
        : "",
      each.outside.length > 0 ? `ignored: ${each.outside.slice(0, 5).map(formatInlineCode).join(", ")}` : "",
      ...each.failures.map(
        (failure) => `attempt ${failure.attempt}: ${failure.class}, ${escapeInline(failure.message, 160)}`,
      ),
    ]
      .filter(Boolean)
      .join("; "),
  ]);
  return rows.length === 0
    ? []
    : formatMarkdownTable(["Phase", "Who", "State", "Attempts", "Time", "Cost", "What"], rows);
}

/** Formats steps of the pipeline. Their results are claims, which no evidence gate counts. */
function formatOwnSteps({ ownSteps }: RunReport): readonly string[] {
  const rows = ownSteps.map(({ phase, name, startedAt, endedAt, claim, failure }) => [
    escapeInline(phase),
    escapeInline(name),
    formatState(failure ? "failed" : endedAt === undefined ? "running" : "claim"),
    endedAt === undefined ? "" : formatReportDuration(endedAt - startedAt),
    failure ? escapeInline(failure.message, 160) : claim === undefined ? "" : escapeInline(formatClaim(claim), 160),
  ]);
  return rows.length === 0 ? [] : formatMarkdownTable(["Phase", "Step", "State", "Time", "Claim"], rows);
}

function formatDecision(decision: DecisionReport): readonly string[] {
  const { blocked, gate, key, tree, rules, findings } = decision;
  const state = toGateState(decision);
  const rows = rules.map((rule) => [
    `${STATES[toGateState(rule)].glyph} ${escapeInline(rule.rule)}`,
    rule.actual === null ? "" : formatInlineCode(JSON.stringify(rule.actual)),
    rule.need === null ? "" : formatInlineCode(JSON.stringify(rule.need)),
    formatInlineCode(formatParams(rule.params)),
  ]);
  return [
    `### ${STATES[state].glyph} ${escapeInline(gate)}: ${STATES[state].word}${blocked ? ", blocked" : ""}`,
    "",
    `${formatInlineCode(key)}, ${formatTimestamp(decision.at)}${tree ? `, tree ${formatInlineCode(tree)}` : ""}`,
    "",
    ...formatMarkdownTable(["Rule", "Found", "Needs", "Parameters"], rows),
    ...(findings.length > 0
      ? [
          "",
          ...findings.map((each) => `- ${each.severity}: ${escapeInline(each.message, 500)}${formatAuthor(each.by)}`),
        ]
      : []),
    "",
  ];
}

function formatParams(params: unknown): string {
  if (typeof params !== "object" || params === null) return "";
  return Object.entries(params)
    .filter(([name]) => name !== "run")
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

const formatAuthor = (name: string | undefined): string => (name ? ` (${escapeInline(name)})` : "");

function formatEvidence({ task, claims, evidence }: RunReport["evidence"][number]): readonly string[] {
  const claimLines = claims.map(
    (each) =>
      `- ${escapeInline(getClaimant(each))}${each.by === undefined ? "" : ` (${escapeInline(each.by)})`} claims${each.attempt > 1 ? ` (attempt ${each.attempt})` : ""}: ${escapeInline(formatClaim(each.claim), 400)}`,
  );
  const rows = deduplicateEvidence(evidence).map((seen) => [
    escapeInline(seen.check),
    escapeInline(
      [seen.phase, seen.round > 1 ? `round ${seen.round}` : "", formatTurn(seen)].filter(Boolean).join(", "),
    ),
    explainSkippedExam(seen) === undefined ? formatResult(seen) : `${STATES.skipped.glyph} not run`,
    escapeInline(
      explainSkippedExam(seen) ??
        [formatNewOnOld(seen) ?? formatHalves(seen), explainCheck(seen)].filter(Boolean).join("; "),
      240,
    ),
    String(seen.exitCode ?? "none"),
    formatReportDuration(seen.ms),
    formatTestCounts(seen.tests),
    formatInlineCode(seen.tree.slice(0, 12)),
    formatInlineCode(seen.command),
  ]);
  const table = formatMarkdownTable(
    ["Check", "When", "Result", "Because", "Exit", "Time", "Tests", "Tree", "Command"],
    rows,
  );
  const parts = [claimLines, rows.length > 0 ? table : []].filter((lines) => lines.length > 0);
  return [`### ${escapeInline(task) || "The whole run"}`, ...parts.flatMap((lines) => ["", ...lines]), ""];
}

/** Formats the glyph of the state with the outcome, because a regression is a failure with its own name. */
function formatResult(seen: EvidenceReport): string {
  return `${STATES[toCheckState(seen)].glyph} ${getOutcomeWord(seen)}`;
}

function formatApprovals({ approvals }: RunReport): readonly string[] {
  const rows = approvals.map(({ title, choice, by: who, note, askedAt, decidedAt }) => [
    escapeInline(title),
    choice === undefined ? formatState("waiting") : `**${escapeInline(choice)}**`,
    escapeInline(who ?? ""),
    decidedAt === undefined
      ? `asked ${formatTimestamp(askedAt)}`
      : `${formatTimestamp(decidedAt)}, after ${formatReportDuration(decidedAt - askedAt)}`,
    escapeInline(note ?? ""),
  ]);
  return rows.length === 0 ? [] : formatMarkdownTable(["Question", "Answer", "By", "When", "Note"], rows);
}

function formatFindingLines({ findings }: RunReport): readonly string[] {
  return findings.map(
    ({ severity, message, files, by: who, gate }) =>
      `- **${severity}** ${escapeInline(message, 500)}${formatAuthor(who)}${files?.length ? `, ${files.map(formatInlineCode).join(", ")}` : ""}, gate ${escapeInline(gate)}`,
  );
}

function formatSpending({ spent, spentByRole, orchestration }: RunReport): readonly string[] {
  const tokens = spent.inputTokens + spent.outputTokens;
  return [
    `- ${counted(spent.attempts, "attempt")}, ${counted(spent.retries, "retry", "retries")}, ${counted(spent.interruptions, "interruption")}`,
    `- cost: ${formatReportedCost(spent)}${tokens > 0 ? `; tokens ${spent.inputTokens} in, ${spent.outputTokens} out` : ""}`,
    `- orchestration: ${orchestration.tokens} tokens, ${orchestration.ms} ms`,
    ...(spentByRole.length > 1 ? ["", ...formatRoleTable(spentByRole)] : []),
  ];
}

function formatRoleTable(roles: RunReport["spentByRole"]): readonly string[] {
  const rows = roles.map((each) => [
    escapeInline(each.role),
    String(each.dispatches),
    formatReportDuration(each.ms),
    formatCost(each),
  ]);
  return formatMarkdownTable(["Role", "Attempts", "Time", "Cost"], rows);
}

import { halvesText, newOnOldText, unsat } from "../../core/checks/exam/sitting-words.ts";
import { becauseOf, countedText, wordOf } from "../../core/checks/outcome/because.ts";
import { counted } from "../../core/text/counted.ts";
import { claimText } from "../../views/claim-text.ts";
import { distinct, type EvidenceReport, turnText, whoOf } from "../../views/evidence.ts";
import type { DecisionReport } from "../../views/gates.ts";
import { checkState } from "../../views/page/rows/check-rows.ts";
import { costText } from "../../views/spent.ts";
import { STATES } from "../../views/states.ts";
import { block, code, gateState, inline, mdTable, moment, moneyText, stateText, time } from "./markdown-text.ts";
import type { RunReport } from "./run-report.ts";

/** Renders a run as one self-contained Markdown page. */
export function markdownReport(report: RunReport): string {
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
  const commit = commits.map((made) => `${code(made.commit)} on ${code(made.branch)}`).join(", ");
  const facts: [string, string][] = [
    ["Run", code(report.run)],
    ["State", stateText(state)],
    ["Status", `${status}${exit === null ? "" : `, exit ${exit}`}${confidence ? `, confidence ${confidence}` : ""}`],
    ["Reason", reason ? inline(reason, 600) : ""],
    ["Next", report.next.map(code).join("<br>")],
    ["No checks", report.exempt === null ? "" : inline(report.exempt, 300)],
    ["Commit", commit || "none"],
    ["Not accepted", formatUnaccepted(report)],
    ["Base", code(base.commit)],
    ["Time", `${moment(report.startedAt)} to ${moment(report.lastAt)}, ${time(report.lastAt - report.startedAt)}`],
    ["Journal", `${report.head.seq} records, head ${code(report.head.chain)}`],
  ];
  return [
    `# ${STATES[state].glyph} ${inline(report.pipeline)} v${report.version}: ${STATES[state].word}`,
    "",
    ...mdTable(
      ["", ""],
      facts.filter(([, value]) => value !== ""),
    ),
  ];
}

function formatUnaccepted({ run, unaccepted }: RunReport): string {
  if (unaccepted === null) return "";
  return `tree ${code(unaccepted.tree)}: ${inline(unaccepted.why, 300)}<br>${code(`signalbox land ${run} --unaccepted`)}`;
}

/** Formats what a person must know before taking the commit. */
function formatCaveats({ caveats }: RunReport): readonly string[] {
  return caveats.map((caveat) => `- ${inline(caveat, 600)}`);
}

function formatRequest({ input }: RunReport): readonly string[] {
  const request = typeof input === "object" && input !== null && "request" in input ? input["request"] : undefined;
  if (typeof request !== "string") return block(JSON.stringify(input, null, 2));
  const { request: _request, ...rest } = input as Record<string, unknown>;
  const others = Object.keys(rest).length > 0 ? ["", ...block(JSON.stringify(rest, null, 2))] : [];
  return [...block(request), ...others];
}

function formatPhases({ phases }: RunReport): readonly string[] {
  const rows = phases.map(({ title, shown, reason, ms, dispatches, retries }) => [
    inline(title),
    [stateText(shown), ...(reason ? [inline(reason)] : [])].join(": "),
    ms > 0 ? time(ms) : "",
    dispatches > 0 ? String(dispatches) : "",
    retries > 0 ? String(retries) : "",
  ]);
  return rows.length === 0 ? [] : mdTable(["Phase", "State", "Time", "Attempts", "Retries"], rows);
}

function formatDispatches({ dispatches }: RunReport): readonly string[] {
  const rows = dispatches.map((each) => [
    inline(each.phase),
    inline([...new Set([each.role, each.instance, each.task])].filter(Boolean).join(" ")),
    `${stateText(each.state)}${each.adopted ? ", adopted" : ""}`,
    String(each.attempts),
    time(each.ms),
    each.usd === undefined ? "" : `$${each.usd.toFixed(2)}`,
    [
      each.changed.length > 0
        ? `changed ${each.changed.slice(0, 5).map(code).join(", ")}${each.changed.length > 5 ? " …" : ""}`
        : "",
      each.outside.length > 0 ? `ignored: ${each.outside.slice(0, 5).map(code).join(", ")}` : "",
      ...each.failures.map(
        (failure) => `attempt ${failure.attempt}: ${failure.class}, ${inline(failure.message, 160)}`,
      ),
    ]
      .filter(Boolean)
      .join("; "),
  ]);
  return rows.length === 0 ? [] : mdTable(["Phase", "Who", "State", "Attempts", "Time", "Cost", "What"], rows);
}

/** Formats steps of the pipeline. Their results are claims, which no evidence gate counts. */
function formatOwnSteps({ ownSteps }: RunReport): readonly string[] {
  const rows = ownSteps.map(({ phase, name, startedAt, endedAt, claim, failure }) => [
    inline(phase),
    inline(name),
    stateText(failure ? "failed" : endedAt === undefined ? "running" : "claim"),
    endedAt === undefined ? "" : time(endedAt - startedAt),
    failure ? inline(failure.message, 160) : claim === undefined ? "" : inline(claimText(claim), 160),
  ]);
  return rows.length === 0 ? [] : mdTable(["Phase", "Step", "State", "Time", "Claim"], rows);
}

function formatDecision(decision: DecisionReport): readonly string[] {
  const { blocked, gate, key, tree, rules, findings } = decision;
  const state = gateState(decision);
  const rows = rules.map((rule) => [
    `${STATES[gateState(rule)].glyph} ${inline(rule.rule)}`,
    rule.actual === null ? "" : code(JSON.stringify(rule.actual)),
    rule.need === null ? "" : code(JSON.stringify(rule.need)),
    code(formatParams(rule.params)),
  ]);
  return [
    `### ${STATES[state].glyph} ${inline(gate)}: ${STATES[state].word}${blocked ? ", blocked" : ""}`,
    "",
    `${code(key)}, ${moment(decision.at)}${tree ? `, tree ${code(tree)}` : ""}`,
    "",
    ...mdTable(["Rule", "Found", "Needs", "Parameters"], rows),
    ...(findings.length > 0
      ? ["", ...findings.map((each) => `- ${each.severity}: ${inline(each.message, 500)}${formatAuthor(each.by)}`)]
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

const formatAuthor = (name: string | undefined): string => (name ? ` (${inline(name)})` : "");

function formatEvidence({ task, claims, evidence }: RunReport["evidence"][number]): readonly string[] {
  const claimLines = claims.map(
    (each) =>
      `- ${inline(whoOf(each))}${each.by === undefined ? "" : ` (${inline(each.by)})`} claims${each.attempt > 1 ? ` (attempt ${each.attempt})` : ""}: ${inline(claimText(each.claim), 400)}`,
  );
  const rows = distinct(evidence).map((seen) => [
    inline(seen.check),
    inline([seen.phase, seen.round > 1 ? `round ${seen.round}` : "", turnText(seen)].filter(Boolean).join(", ")),
    unsat(seen) === undefined ? formatResult(seen) : `${STATES.skipped.glyph} not run`,
    inline(unsat(seen) ?? [newOnOldText(seen) ?? halvesText(seen), becauseOf(seen)].filter(Boolean).join("; "), 240),
    String(seen.exitCode ?? "none"),
    time(seen.ms),
    countedText(seen.tests),
    code(seen.tree.slice(0, 12)),
    code(seen.command),
  ]);
  const table = mdTable(["Check", "When", "Result", "Because", "Exit", "Time", "Tests", "Tree", "Command"], rows);
  const parts = [claimLines, rows.length > 0 ? table : []].filter((lines) => lines.length > 0);
  return [`### ${inline(task) || "The whole run"}`, ...parts.flatMap((lines) => ["", ...lines]), ""];
}

/** Formats the glyph of the state with the outcome, because a regression is a failure with its own name. */
function formatResult(seen: EvidenceReport): string {
  return `${STATES[checkState(seen)].glyph} ${wordOf(seen)}`;
}

function formatApprovals({ approvals }: RunReport): readonly string[] {
  const rows = approvals.map(({ title, choice, by: who, note, askedAt, decidedAt }) => [
    inline(title),
    choice === undefined ? stateText("waiting") : `**${inline(choice)}**`,
    inline(who ?? ""),
    decidedAt === undefined ? `asked ${moment(askedAt)}` : `${moment(decidedAt)}, after ${time(decidedAt - askedAt)}`,
    inline(note ?? ""),
  ]);
  return rows.length === 0 ? [] : mdTable(["Question", "Answer", "By", "When", "Note"], rows);
}

function formatFindingLines({ findings }: RunReport): readonly string[] {
  return findings.map(
    ({ severity, message, files, by: who, gate }) =>
      `- **${severity}** ${inline(message, 500)}${formatAuthor(who)}${files?.length ? `, ${files.map(code).join(", ")}` : ""}, gate ${inline(gate)}`,
  );
}

function formatSpending({ spent, spentByRole, orchestration }: RunReport): readonly string[] {
  const tokens = spent.inputTokens + spent.outputTokens;
  return [
    `- ${counted(spent.attempts, "attempt")}, ${counted(spent.retries, "retry", "retries")}, ${counted(spent.interruptions, "interruption")}`,
    `- cost: ${moneyText(spent)}${tokens > 0 ? `; tokens ${spent.inputTokens} in, ${spent.outputTokens} out` : ""}`,
    `- orchestration: ${orchestration.tokens} tokens, ${orchestration.ms} ms`,
    ...(spentByRole.length > 1 ? ["", ...formatRoleTable(spentByRole)] : []),
  ];
}

function formatRoleTable(roles: RunReport["spentByRole"]): readonly string[] {
  const rows = roles.map((each) => [inline(each.role), String(each.dispatches), time(each.ms), costText(each)]);
  return mdTable(["Role", "Attempts", "Time", "Cost"], rows);
}

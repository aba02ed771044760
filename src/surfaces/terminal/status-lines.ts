import { counted } from "../../core/text/count.ts";
import type { Json } from "../../core/text/json.ts";
import type { AgentView } from "../../views/attempts.ts";
import { hasPassedRules } from "../../views/gates.ts";
import { selectRecentOwnSteps } from "../../views/own-steps.ts";
import type { RunPage } from "../../views/page/page.ts";
import { formatCost, sumCostByRole } from "../../views/role-cost.ts";
import type { StatusReport } from "../../views/run-status-text.ts";
import type { RunView } from "../../views/run-view.ts";
import { STATES } from "../../views/states.ts";
import { toOneLine } from "./clean-text.ts";
import { formatAge, formatDuration, formatTime } from "./duration.ts";
import { renderStateGlyph } from "./glyph.ts";
import type { Paint } from "./paint.ts";
import { formatNamedValue, formatPlainValue } from "./plain-value.ts";
import { formatQuestionContent } from "./question-lines.ts";
import { formatTable } from "./table.ts";

export type StatusInput = {
  readonly view: RunView;
  readonly page: RunPage;
  readonly standing: StatusReport;
  /** The team member who submitted the run. */
  readonly submitter?: string | undefined;
  readonly now: number;
};

/** Formats one screen about a run: its state and reason, its phases, and what comes next. */
export function formatStatusLines(paint: Paint, { view, page, standing, submitter, now }: StatusInput): string[] {
  const [first = "", ...more] = standing.next;
  const whose = submitter === undefined ? "" : ` by ${toOneLine(submitter)}`;
  return [
    `${renderStateGlyph(paint, page.head.state)} ${paint.bold(standing.status)}  ${view.pipeline} v${view.version}  ${view.run}  ${paint.dim(`started${whose} ${formatAge(now - view.startedAt)}`)}`,
    `  reason: ${toOneLine(page.head.because, 600)}`,
    ...(first ? [`  next: ${paint.cyan(first)}`] : []),
    ...more.map((line) => `        ${paint.cyan(line)}`),
    "",
    ...formatPhases(paint, page),
    ...formatSection("agents", [...formatAgents(paint, { view, page, now }), ...formatWaiting(view, now)]),
    ...formatSection("last gate", formatLastGate(paint, view)),
    ...formatSection(
      "waiting for",
      view.open.flatMap((each) => [
        `${each.approval}  ${toOneLine(each.title)}`,
        ...formatQuestionContent(each, MAX_SHOWN_LINES).map((line) => `  ${line}`),
      ]),
    ),
    ...formatSection("steps of the pipeline", formatOwnSteps(paint, view, now)),
    ...formatSection("caveats", formatCaveats(view)),
    ...formatSection("notes", formatNotes(view.notes)),
    ...formatSection("errors", formatErrors(view)),
    "",
    `  cost: ${formatSpending(view)}`,
    ...formatRoles(view),
  ];
}

/** Maximum number of lines of a question; `inbox` with its id shows the rest. */
const MAX_SHOWN_LINES = 14;

function formatPhases(paint: Paint, { rows }: RunPage): string[] {
  const phases = rows.filter((row) => row.kind === "phase").toSorted((a, b) => a.position - b.position);
  return phases.map(({ title, state, because }) => {
    const { word } = STATES[state];
    // A phase that ended without a fault is not annotated.
    const annotation = because ? `${word}: ${toOneLine(because)}` : QUIET.has(state) ? "" : word;
    return `  ${renderStateGlyph(paint, state)} ${toOneLine(title)}${annotation && `  ${paint.dim(annotation)}`}`;
  });
}

const QUIET: ReadonlySet<string> = new Set(["passed", "ended"]);

function formatAgents(paint: Paint, { view, page, now }: Pick<StatusInput, "view" | "page" | "now">): string[] {
  const shown = new Map(page.head.agents.map((agent) => [agent.effect, agent]));
  return view.agents.flatMap(({ role, instance, task, attempt, continues, startedAt, silence, effect }) => {
    const { lastAction = null, fate = null } = shown.get(effect) ?? {};
    const glyph = renderStateGlyph(paint, fate === null ? "running" : "stale");
    const name = [...new Set([role, instance, task])].filter(Boolean).join(" ");
    const again = continues ? ", continues the interrupted attempt" : "";
    return [
      `${glyph} ${toOneLine(name)}  attempt ${attempt}${again}, ${formatDuration(now - startedAt)}${formatSilence(silence)}`,
      ...(lastAction ? [paint.dim(`  ${toOneLine(lastAction.text, 100)}`)] : []),
      ...(fate === null ? [] : [paint.dim(`  ${fate}`)]),
    ];
  });
}

function formatWaiting({ resting }: RunView, now: number): string[] {
  return resting
    .filter(({ untilMs }) => untilMs === undefined || untilMs > now)
    .map(({ role, instance, task, untilMs, because }) => {
      const name = [...new Set([role, instance, task])].filter(Boolean).join(" ");
      const until = untilMs === undefined ? "waits for your decision" : `waits until ${formatTime(untilMs, now)}`;
      return `${toOneLine(name)}  ${until}: ${toOneLine(because, 200)}`;
    });
}

/** Shorter silences are not displayed. */
const MIN_SILENCE_MS = 20_000;

function formatSilence(silence: AgentView["silence"]): string {
  if (!silence || silence.forMs < MIN_SILENCE_MS) return "";
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  return `, silent ${seconds(silence.forMs)}, ${seconds(silence.leftMs)} left`;
}

function formatLastGate(paint: Paint, { lastGate }: RunView): string[] {
  if (!lastGate) return [];
  const rules = lastGate.rules.map(
    (rule) => `${renderStateGlyph(paint, rule.passed ? "passed" : "missed")} ${rule.rule}`,
  );
  return [`${toOneLine(lastGate.gate)} ${hasPassedRules(lastGate) ? "passed" : "missed"}: ${rules.join("  ")}`];
}

function formatOwnSteps(paint: Paint, view: RunView, now: number): string[] {
  return selectRecentOwnSteps(view).map(({ name, startedAt, endedAt, claim, failure }) => {
    if (endedAt === undefined)
      return `${renderStateGlyph(paint, "running")} ${toOneLine(name)}  ${formatDuration(now - startedAt)}`;
    if (failure) return `${renderStateGlyph(paint, "failed")} ${toOneLine(name)}  ${toOneLine(failure.message, 200)}`;
    const result = claim === undefined ? "" : `  reported ${toOneLine(formatPlainValue(claim), 200)}`;
    return `${renderStateGlyph(paint, "ended")} ${toOneLine(name)}${result}`;
  });
}

const formatNotes = (notes: Readonly<Record<string, Json>>): string[] =>
  Object.entries(notes).flatMap(([name, value]) => formatNamedValue(name, value));

/** Returns the caveats of the end, or the exemption that is known before it. */
function formatCaveats({ caveats, exempt }: RunView): string[] {
  if (caveats.length > 0) return caveats.map((caveat) => toOneLine(caveat, 600));
  return exempt === undefined ? [] : [`no project command checks the work: ${toOneLine(exempt, 300)}`];
}

function formatErrors(view: RunView): string[] {
  return view.failed.map(({ started: { key }, finished, retried }) => {
    const { class: kind = "", message = "" } = finished?.failure ?? {};
    return `${toOneLine(key)}  ${kind}: ${toOneLine(message)}${retried ? " (retried)" : ""}`;
  });
}

function formatSection(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `  ${title}`, ...lines.map((line) => `    ${line}`)];
}

function formatSpending({ spent, limits, retries, orchestrationMs }: RunView): string {
  const used = counted(spent.attempts, "dispatch", "dispatches");
  const most = limits.dispatches === undefined ? "" : ` of at most ${limits.dispatches}`;
  const kinds = Object.entries(retries).map(([kind, count]) => `${count} ${kind}`);
  const money = formatCost(spent);
  const again = kinds.length > 0 ? `retries ${kinds.join(", ")}` : "";
  const own = `orchestration: 0 tokens, ${Math.round(orchestrationMs)} ms`;
  return [`${used}${most}`, money, again, own].filter(Boolean).join(" · ");
}

const MAX_ROLES = 12;

/** Formats the cost per role, if there is more than one role. */
function formatRoles(view: RunView): string[] {
  const roles = sumCostByRole(view);
  if (roles.length < 2) return [];
  const rows = roles
    .slice(0, MAX_ROLES)
    .map((each) => [
      { text: `    ${toOneLine(each.role, 30)}` },
      { text: counted(each.dispatches, "dispatch", "dispatches") },
      { text: formatDuration(each.ms) },
      { text: formatCost(each) },
    ]);
  return [
    ...formatTable(rows),
    ...(roles.length > MAX_ROLES ? [`    … and ${roles.length - MAX_ROLES} more roles`] : []),
  ];
}

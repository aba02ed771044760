import { counted } from "../../core/text/counted.ts";
import type { Json } from "../../core/text/json.ts";
import type { AgentView } from "../../views/attempts.ts";
import { isPassed } from "../../views/gates.ts";
import { recentOwnSteps } from "../../views/own-steps.ts";
import type { RunPage } from "../../views/page/page.ts";
import type { Standing } from "../../views/run-status-text.ts";
import type { RunView } from "../../views/run-view.ts";
import { costText, spentByRole } from "../../views/spent.ts";
import { STATES } from "../../views/states.ts";
import { oneLine } from "./clean-text.ts";
import { ago, duration, timeOfDay } from "./duration.ts";
import { stateGlyph } from "./glyph.ts";
import type { Paint } from "./paint.ts";
import { plainLines, plainText } from "./plain-value.ts";
import { aboutLines } from "./question-lines.ts";
import { table } from "./table.ts";

export type StatusInput = {
  readonly view: RunView;
  readonly page: RunPage;
  readonly standing: Standing;
  /** Who submitted it, in a team. */
  readonly submitter?: string | undefined;
  readonly now: number;
};

/** One screen about one run: where it stands and why, what is behind it, what is still to come. */
export function statusLines(paint: Paint, { view, page, standing, submitter, now }: StatusInput): string[] {
  const [first = "", ...more] = standing.next;
  const whose = submitter === undefined ? "" : ` by ${oneLine(submitter)}`;
  return [
    `${stateGlyph(paint, page.head.state)} ${paint.bold(standing.status)}  ${view.pipeline} v${view.version}  ${view.run}  ${paint.dim(`started${whose} ${ago(now - view.startedAt)}`)}`,
    `  because: ${oneLine(page.head.because, 600)}`,
    ...(first ? [`  next: ${paint.cyan(first)}`] : []),
    ...more.map((line) => `        ${paint.cyan(line)}`),
    "",
    ...phaseLines(paint, page),
    ...section("agents", [...agentLines(paint, { view, page, now }), ...restingLines(view, now)]),
    ...section("last gate", gateLines(paint, view)),
    ...section(
      "waiting for",
      view.open.flatMap((each) => [
        `${each.approval}  ${oneLine(each.title)}`,
        ...aboutLines(each, SHOWN_LINES).map((line) => `  ${line}`),
      ]),
    ),
    ...section("steps of this pipeline's own", ownLines(paint, view, now)),
    ...section("caveats", caveatLines(view)),
    ...section("notes", noteLines(view.notes)),
    ...section("errors", errorLines(view)),
    "",
    `  spent ${spentText(view)}`,
    ...roleLines(view),
  ];
}

/** Of what a question shows; `inbox` with its id has all of it. */
const SHOWN_LINES = 14;

function phaseLines(paint: Paint, { rows }: RunPage): string[] {
  const phases = rows.filter((row) => row.kind === "phase").toSorted((a, b) => a.position - b.position);
  return phases.map(({ title, state, because }) => {
    const { word } = STATES[state];
    // What is over without a fault needs no word.
    const said = because ? `${word}: ${oneLine(because)}` : QUIET.has(state) ? "" : word;
    return `  ${stateGlyph(paint, state)} ${oneLine(title)}${said && `  ${paint.dim(said)}`}`;
  });
}

const QUIET: ReadonlySet<string> = new Set(["passed", "ended"]);

function agentLines(paint: Paint, { view, page, now }: Pick<StatusInput, "view" | "page" | "now">): string[] {
  const shown = new Map(page.head.agents.map((agent) => [agent.effect, agent]));
  return view.agents.flatMap(({ role, instance, task, attempt, continues, startedAt, silence, effect }) => {
    const { lastAction = null, fate = null } = shown.get(effect) ?? {};
    const glyph = stateGlyph(paint, fate === null ? "running" : "stale");
    const name = [...new Set([role, instance, task])].filter(Boolean).join(" ");
    const again = continues ? ", goes on where the one before was cut off" : "";
    return [
      `${glyph} ${oneLine(name)}  attempt ${attempt}${again}, ${duration(now - startedAt)}${silenceText(silence)}`,
      ...(lastAction ? [paint.dim(`  ${oneLine(lastAction.text, 100)}`)] : []),
      ...(fate === null ? [] : [paint.dim(`  ${fate}`)]),
    ];
  });
}

function restingLines({ resting }: RunView, now: number): string[] {
  return resting
    .filter(({ untilMs }) => untilMs === undefined || untilMs > now)
    .map(({ role, instance, task, untilMs, because }) => {
      const name = [...new Set([role, instance, task])].filter(Boolean).join(" ");
      const until = untilMs === undefined ? "waits for a word" : `waits until ${timeOfDay(untilMs, now)}`;
      return `${oneLine(name)}  ${until}: ${oneLine(because, 200)}`;
    });
}

/** Nobody need know of a pause for breath. */
const WORTH_SAYING_MS = 20_000;

function silenceText(silence: AgentView["silence"]): string {
  if (!silence || silence.forMs < WORTH_SAYING_MS) return "";
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  return `, silent ${seconds(silence.forMs)}, ${seconds(silence.leftMs)} left`;
}

function gateLines(paint: Paint, { lastGate }: RunView): string[] {
  if (!lastGate) return [];
  const rules = lastGate.rules.map((rule) => `${stateGlyph(paint, rule.passed ? "passed" : "missed")} ${rule.rule}`);
  return [`${oneLine(lastGate.gate)} ${isPassed(lastGate) ? "passed" : "missed"}: ${rules.join("  ")}`];
}

function ownLines(paint: Paint, view: RunView, now: number): string[] {
  return recentOwnSteps(view).map(({ name, startedAt, endedAt, claim, failure }) => {
    if (endedAt === undefined) return `${stateGlyph(paint, "running")} ${oneLine(name)}  ${duration(now - startedAt)}`;
    if (failure) return `${stateGlyph(paint, "failed")} ${oneLine(name)}  ${oneLine(failure.message, 200)}`;
    const said = claim === undefined ? "" : `  says ${oneLine(plainText(claim), 200)}`;
    return `${stateGlyph(paint, "ended")} ${oneLine(name)}${said}`;
  });
}

const noteLines = (notes: Readonly<Record<string, Json>>): string[] =>
  Object.entries(notes).flatMap(([name, value]) => plainLines(name, value));

/** What stands at the end, or what is known before it. */
function caveatLines({ caveats, exempt }: RunView): string[] {
  if (caveats.length > 0) return caveats.map((caveat) => oneLine(caveat, 600));
  return exempt === undefined ? [] : [`no command of the project judges the work: ${oneLine(exempt, 300)}`];
}

function errorLines(view: RunView): string[] {
  return view.failed.map(({ started: { key }, finished, retried }) => {
    const { class: kind = "", message = "" } = finished?.failure ?? {};
    return `${oneLine(key)}  ${kind}: ${oneLine(message)}${retried ? " (retried)" : ""}`;
  });
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `  ${title}`, ...lines.map((line) => `    ${line}`)];
}

function spentText({ spent, limits, retries, orchestrationMs }: RunView): string {
  const used = counted(spent.attempts, "dispatch", "dispatches");
  const most = limits.dispatches === undefined ? "" : ` of at most ${limits.dispatches}`;
  const kinds = Object.entries(retries).map(([kind, count]) => `${count} ${kind}`);
  const money = costText(spent);
  const again = kinds.length > 0 ? `retries ${kinds.join(", ")}` : "";
  const own = `orchestration: 0 tokens, ${Math.round(orchestrationMs)} ms`;
  return [`${used}${most}`, money, again, own].filter(Boolean).join(" · ");
}

const ROLES = 12;

/** Worth a table where more than one role has played. */
function roleLines(view: RunView): string[] {
  const roles = spentByRole(view);
  if (roles.length < 2) return [];
  const rows = roles
    .slice(0, ROLES)
    .map((each) => [
      { text: `    ${oneLine(each.role, 30)}` },
      { text: counted(each.dispatches, "dispatch", "dispatches") },
      { text: duration(each.ms) },
      { text: costText(each) },
    ]);
  return [...table(rows), ...(roles.length > ROLES ? [`    … and ${roles.length - ROLES} more roles`] : [])];
}

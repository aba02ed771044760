import type { DetectedProject } from "../../core/checks/detect/detect-commands.ts";
import { formatCommandLine } from "../../core/checks/detect/detected.ts";
import { AGENT_PROGRAMS } from "../../drivers/index.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatTable } from "../../surfaces/terminal/table.ts";
import type { AgentCandidate } from "../agents/agent-suggestion.ts";
import type { Call } from "../call.ts";
import { formatFix, keepUnbroken, wrapCommandText } from "../output/command-text.ts";
import { type ConfigState, UNFIT_MARKER } from "../project/config-text.ts";
import { NO_CHECK_HINT } from "../start/run-problems.ts";
import { findMissingPrograms } from "./missing-programs.ts";
import { isUnfit, type Trial } from "./trial.ts";

export type InitFindings = { readonly agents: readonly AgentCandidate[]; readonly detected: DetectedProject };
export type InitSummary = {
  /** State of the configuration before this call. */
  readonly before: ConfigState;
  /**
   * Present if a kept configuration still lists checks as unable to run; `lacks` are the detected commands it does not
   * have.
   */
  readonly outdated: { readonly lacks: DetectedProject["commands"] } | undefined;
  readonly trusted: boolean;
  readonly agents: readonly AgentCandidate[];
  readonly detected: DetectedProject;
  /** Agent that this call assigned to the roles. */
  readonly agent: AgentCandidate | undefined;
  readonly trial: Trial | undefined;
  /** Configured reason why no check is required. */
  readonly exempt: string | undefined;
};

type Row = readonly [what: string, name: string, about: string];

/** Lists what was detected, before any question is asked. `behind` are the commands that the checks really start. */
export function formatFindings(
  { paint, width }: Call,
  { agents, detected, behind }: InitFindings & { readonly behind: readonly string[] },
): readonly string[] {
  const { commands, setup } = detected;
  const rows: readonly Row[] = [
    ...agents.map((agent): Row => ["agents", `${agent.driver.program} ${agent.version}`, agent.login?.says ?? ""]),
    ...(agents.length === 0
      ? [["agents", "none on the PATH", `install one: ${formatFix(AGENT_PROGRAMS[0]?.install ?? "")}`] as const]
      : []),
    ...(setup ? [["set-up", keepUnbroken(setup.run), setup.lockFile ?? setup.from] as const] : []),
    ...commands.map(
      (command): Row => ["checks", keepUnbroken(`${command.name}: ${formatCommandLine(command)}`), command.from],
    ),
    ...behind.map((line): Row => ["they run", keepUnbroken(toOneLine(line, MAX_COMMAND_LENGTH)), ""]),
    ...(commands.length === 0 ? [["checks", "none found in the project's files", ""] as const] : []),
    ...findMissingPrograms({ commands, setup }).map(({ says }): Row => ["missing", says, ""]),
    ...(detected.unknown ?? []).map((says): Row => ["unknown", says, ""]),
  ];
  const lines = formatTable(
    rows.map(([what, name, about], at) => [
      { text: rows[at - 1]?.[0] === what ? "" : what },
      { text: name },
      { text: about, painted: paint.dim(about) },
    ]),
  );
  return [...lines.flatMap((line) => wrapCommandText(line, { width, indent: 10 })), ""];
}

const MAX_COMMAND_LENGTH = 400;

export function formatInitSummary({ paint, width }: Call, summary: InitSummary): readonly string[] {
  const { before, trusted, agent } = summary;
  const lines = [
    `${paint.green("✓")} ${WROTE[before]}`,
    ...formatOutdated(summary).map((line) => `${paint.yellow("!")} ${line}`),
    trusted
      ? `${paint.green("✓")} trust recorded; a change to the repository's configuration asks again`
      : `${paint.yellow("!")} not trusted: the repository's configuration will not run`,
    ...(agent?.login?.get === undefined
      ? []
      : [
          `${paint.yellow("!")} ${agent.driver.program}: ${agent.login.says}; fix: ${paint.cyan(formatFix(agent.login.get))}`,
        ]),
    ...(summary.detected.commands.length === 0 && summary.exempt === undefined
      ? [`${paint.yellow("!")} no checks are configured; ${NO_CHECK_HINT}`]
      : []),
    `  next: ${paint.cyan(suggestNextCommand(summary))}`,
  ];
  return lines.flatMap((line) => wrapCommandText(line, { width, indent: 4 }));
}

/** Suggests edits for a changed configuration, which `init` never modifies itself. */
function formatOutdated({ outdated, trial }: InitSummary): readonly string[] {
  if (!outdated) return [];
  const lines = outdated.lacks.map(
    (each) =>
      `the configuration was edited and has no ${each.name}; add under commands: ${keepUnbroken(`${each.name}: ${formatCommandLine(each)}`)}`,
  );
  const cured = lines.length === 0 && trial !== undefined && !trial.checks.some(isUnfit);
  return cured ? [`it still says that checks could not run, but they can now; delete "# ${UNFIT_MARKER} …"`] : lines;
}

const FILE = ".signalbox/config.yaml";
const WROTE: Readonly<Record<ConfigState, string>> = {
  none: `wrote ${FILE}; review and commit it`,
  unfinished: `rewrote ${FILE}, which had no manual changes; review and commit it`,
  kept: `kept the existing ${FILE}`,
};

/**
 * Suggests the next command, starting with what blocks a run: checks that cannot run, then a missing agent. A fix for a
 * check is often a setting that needs trust, so `init` is suggested: it asks for trust and tries again.
 */
function suggestNextCommand({ agents, trial }: InitSummary): string {
  const unfit = trial?.checks.filter(isUnfit).map(({ name }) => name) ?? [];
  if (unfit.length > 0)
    return `apply the fixes above for ${unfit.join(", ")}, then run ${keepUnbroken("signalbox init")}`;
  const first = keepUnbroken('signalbox run "<what you want>"');
  if (agents.length > 0) return first;
  return `${first} once an agent is installed (${keepUnbroken("signalbox doctor")}), or try ${keepUnbroken("signalbox demo")}`;
}

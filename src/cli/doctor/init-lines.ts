import type { DetectedProject } from "../../core/checks/detect/detect-commands.ts";
import { lineOf } from "../../core/checks/detect/detected.ts";
import { AGENT_PROGRAMS } from "../../drivers/index.ts";
import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import { table } from "../../surfaces/terminal/table.ts";
import type { Candidate } from "../agents/agent-suggestion.ts";
import type { Call } from "../call.ts";
import { asTold, unbroken, wrapAround } from "../output/pasteable.ts";
import { type ConfigStanding, TRIED } from "../project/config-text.ts";
import { NO_CHECK_HINT } from "../start/lacks.ts";
import { missingPrograms } from "./missing-programs.ts";
import { isUnfit, type Trial } from "./trial.ts";

export type InitFindings = { readonly agents: readonly Candidate[]; readonly detected: DetectedProject };
export type InitSummary = {
  /** How the configuration stood before this call. */
  readonly before: ConfigStanding;
  /** A kept configuration still says of checks that they could not run; it lacks these of what was found. */
  readonly outdated: { readonly lacks: DetectedProject["commands"] } | undefined;
  readonly trusted: boolean;
  readonly agents: readonly Candidate[];
  readonly detected: DetectedProject;
  /** Whom this call gave the roles. */
  readonly agent: Candidate | undefined;
  readonly trial: Trial | undefined;
  /** Why no check is needed, where somebody has said so. */
  readonly exempt: string | undefined;
};

type Row = readonly [what: string, name: string, about: string];

/** What was found here, before anything is asked; `behind` is what the checks really start. */
export function foundLines(
  { paint, width }: Call,
  { agents, detected, behind }: InitFindings & { readonly behind: readonly string[] },
): readonly string[] {
  const { commands, setup } = detected;
  const rows: readonly Row[] = [
    ...agents.map((agent): Row => ["agents", `${agent.driver.program} ${agent.version}`, agent.login?.says ?? ""]),
    ...(agents.length === 0
      ? [["agents", "none on the PATH", `get one: ${asTold(AGENT_PROGRAMS[0]?.install ?? "")}`] as const]
      : []),
    ...(setup ? [["set-up", unbroken(setup.run), setup.lockFile ?? setup.from] as const] : []),
    ...commands.map((command): Row => ["checks", unbroken(`${command.name}: ${lineOf(command)}`), command.from]),
    ...behind.map((line): Row => ["they start", unbroken(oneLine(line, MOST_SHOWN)), ""]),
    ...(commands.length === 0 ? [["checks", "none found in the project's files", ""] as const] : []),
    ...missingPrograms({ commands, setup }).map(({ says }): Row => ["missing", says, ""]),
    ...(detected.unknown ?? []).map((says): Row => ["not known", says, ""]),
  ];
  const lines = table(
    rows.map(([what, name, about], at) => [
      { text: rows[at - 1]?.[0] === what ? "" : what },
      { text: name },
      { text: about, painted: paint.dim(about) },
    ]),
  );
  return [...lines.flatMap((line) => wrapAround(line, { width, indent: 10 })), ""];
}

const MOST_SHOWN = 400;

export function doneLines({ paint, width }: Call, summary: InitSummary): readonly string[] {
  const { before, trusted, agent } = summary;
  const lines = [
    `${paint.green("✓")} ${WROTE[before]}`,
    ...outdatedLines(summary).map((line) => `${paint.yellow("!")} ${line}`),
    trusted
      ? `${paint.green("✓")} your yes to what the repository brings is recorded; a change asks again`
      : `${paint.yellow("!")} without your yes nothing of it runs`,
    ...(agent?.login?.get === undefined
      ? []
      : [
          `${paint.yellow("!")} ${agent.driver.program}: ${agent.login.says}; get it: ${paint.cyan(asTold(agent.login.get))}`,
        ]),
    ...(summary.detected.commands.length === 0 && summary.exempt === undefined
      ? [`${paint.yellow("!")} nothing judges work here yet; ${NO_CHECK_HINT}`]
      : []),
    `  next: ${paint.cyan(nextOf(summary))}`,
  ];
  return lines.flatMap((line) => wrapAround(line, { width, indent: 4 }));
}

/** `init` changes nothing that somebody has changed: what it would have written is theirs to write. */
function outdatedLines({ outdated, trial }: InitSummary): readonly string[] {
  if (!outdated) return [];
  const lines = outdated.lacks.map(
    (each) =>
      `you have changed it, and it lacks ${each.name}; add under commands: ${unbroken(`${each.name}: ${lineOf(each)}`)}`,
  );
  const cured = lines.length === 0 && trial !== undefined && !trial.checks.some(isUnfit);
  return cured ? [`it still says that checks could not run, which is cured; take out "# ${TRIED} …"`] : lines;
}

const FILE = ".signalbox/config.yaml";
const WROTE: Readonly<Record<ConfigStanding, string>> = {
  none: `wrote ${FILE}; read it, commit it`,
  unfinished: `wrote ${FILE} anew, which nobody had changed; read it, commit it`,
  kept: `kept ${FILE}, which was there`,
};

/**
 * What keeps a run from starting comes first: checks that could not run, then nobody to play the roles. What cures a
 * check is often a setting, and that needs a yes: `init` asks for it and tries again, in one call.
 */
function nextOf({ agents, trial }: InitSummary): string {
  const unfit = trial?.checks.filter(isUnfit).map(({ name }) => name) ?? [];
  if (unfit.length > 0) return `do what is said above about ${unfit.join(", ")}, then ${unbroken("signalbox init")}`;
  const first = unbroken('signalbox run "<what you want>"');
  if (agents.length > 0) return first;
  return `${first} once an agent is installed (${unbroken("signalbox doctor")}), or look around: ${unbroken("signalbox demo")}`;
}

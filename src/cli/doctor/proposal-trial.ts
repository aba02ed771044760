import type { DetectedProject } from "../../core/checks/detect/detect-commands.ts";
import { formatCommandLine } from "../../core/checks/detect/detected.ts";
import type { Call } from "../call.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import { inspectProject } from "../project/project.ts";
import { resolveSettings } from "../project/settings.ts";
import { findMissingPrograms } from "./missing-programs.ts";
import { toUserError } from "./symptom.ts";
import { runTrial, type Trial, type TriedCheck } from "./trial.ts";
import { announceTrial, createTrialPrinter, formatTrial } from "./trial-lines.ts";

/**
 * Tries detected commands before they are written to the configuration: a check that cannot run would block the first
 * run.
 */
export async function tryProposal(
  call: Call,
  { check = true }: { readonly check?: boolean },
  { commands: found, setup }: DetectedProject,
): Promise<Trial | undefined> {
  if (found.length === 0) return undefined;
  const all = found.map((command) => ({ name: command.name, run: formatCommandLine(command) }));
  const printBlock = (lines: readonly string[]): void => {
    if (!call.json) for (const line of [...lines, ""]) call.print(line);
  };
  if (!check) {
    printBlock(["checks were not tried (--no-check); try them with `signalbox doctor --checks`"]);
    return undefined;
  }
  try {
    const lost = findUnstartable({ commands: all, setup });
    const commands = all.filter(({ name }) => lost.every((each) => each.name !== name));
    if (commands.length === 0) return { commit: "", preparedMs: 0, checks: lost, printed: [] };
    const project = await inspectProject(call, {});
    const { sandbox, patience, environment } = resolveSettings(await loadConfigLayers(project.places));
    if (!call.json) call.print(announceTrial(call, { commands, setup }));
    const trial = await runTrial(project, {
      sandbox,
      patience,
      environment,
      commands,
      setup,
      say: createTrialPrinter(call),
    });
    printBlock(formatTrial(call, trial));
    return { ...trial, checks: [...trial.checks, ...lost] };
  } catch (error) {
    const { message, hint } = toUserError(error);
    printBlock([`not tried: ${message} ${hint}`]);
    return undefined;
  }
}

type ProposedCommands = {
  readonly commands: readonly { readonly name: string; readonly run: string }[];
  readonly setup: DetectedProject["setup"];
};

/** Finds checks that cannot start because their program, or the setup's, is not installed. */
function findUnstartable({ commands, setup }: ProposedCommands): readonly TriedCheck[] {
  const missing = findMissingPrograms({ commands, setup });
  return commands.flatMap(({ name, run }) => {
    const lost = missing.find(({ names }) => names.includes(name) || names.includes("set-up"));
    if (!lost) return [];
    return [{ name, run, outcome: "not-run" as const, because: lost.lacks, ms: 0, cure: [lost.says] }];
  });
}

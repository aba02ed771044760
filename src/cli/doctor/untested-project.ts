import { formatCommandLine } from "../../core/checks/detect/detected.ts";
import { isTestCommand } from "../../core/checks/detect/test-command.ts";
import { detectChecks } from "../project/detect-checks.ts";
import type { Settings } from "../project/settings.ts";
import type { Symptom } from "./symptom.ts";

/**
 * Notes that the project declares tests but no configured check runs any. `init` leaves out checks that could not run,
 * and a green run without them would look tested.
 */
export async function findUntestedProject(
  top: string,
  { commands }: Pick<Settings, "commands">,
): Promise<readonly Symptom[]> {
  if (commands.length === 0 || commands.some(isTestCommand)) return [];
  const declared = (await detectChecks(top)).commands.find(isTestCommand);
  if (!declared) return [];
  return [
    {
      what: "checks",
      state: "note",
      says: `no check runs tests, but the project declares some (${declared.from})`,
      get: `add under commands: in .signalbox/config.yaml: ${declared.name}: ${formatCommandLine(declared)}`,
    },
  ];
}

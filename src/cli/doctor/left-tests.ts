import { lineOf } from "../../core/checks/detect/detected.ts";
import { isTestCommand } from "../../core/checks/detect/test-command.ts";
import { detectedIn } from "../project/detect-checks.ts";
import type { Settings } from "../project/settings.ts";
import type { Symptom } from "./symptom.ts";

/**
 * Told, and no obstacle: the project declares tests, and no check that counts runs any. `init` leaves out what could not
 * run, and a green run would look as if it had been tested.
 */
export async function leftTests(top: string, { commands }: Pick<Settings, "commands">): Promise<readonly Symptom[]> {
  if (commands.length === 0 || commands.some(isTestCommand)) return [];
  const declared = (await detectedIn(top)).commands.find(isTestCommand);
  if (!declared) return [];
  return [
    {
      what: "checks",
      state: "note",
      says: `none of them runs tests, and the project declares some (${declared.from})`,
      get: `${declared.name}: ${lineOf(declared)} under commands: in .signalbox/config.yaml`,
    },
  ];
}

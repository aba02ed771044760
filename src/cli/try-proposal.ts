import type { Detected } from "../core/evidence/detect-commands.ts";
import { lookAtProject } from "./app.ts";
import type { Call } from "./call.ts";
import { layersOf } from "./layers.ts";
import { settingsOf } from "./settings.ts";
import { refusal } from "./symptom.ts";
import { type Trial, trialOf } from "./trial.ts";
import { tellOf, trialBegins, trialLines } from "./trial-lines.ts";

/** What is proposed is tried before it is written: a check that cannot run would end the first run. */
export async function tryProposal(
  call: Call,
  { check = true }: { readonly check?: boolean },
  { commands, setup }: Detected,
): Promise<Trial | undefined> {
  if (commands.length === 0) return undefined;
  const say = (lines: readonly string[]): void => {
    if (!call.json) for (const line of [...lines, ""]) call.print(line);
  };
  if (!check) {
    say(["not tried, as --no-check says; `signalbox doctor --checks` does"]);
    return undefined;
  }
  try {
    const project = await lookAtProject(call, {});
    const { sandbox, patience } = settingsOf(await layersOf(project.places));
    if (!call.json) call.print(trialBegins(call, { commands, setup }));
    const trial = await trialOf(project, { sandbox, patience, commands, setup, say: tellOf(call) });
    say(trialLines(call, trial));
    return trial;
  } catch (error) {
    const { message, hint } = refusal(error);
    say([`not tried: ${message} ${hint}`]);
    return undefined;
  }
}

import type { Driver } from "../../src/core/ports/driver.ts";
import type { ProcessLimits } from "../../src/core/ports/processes.ts";
import type { Json } from "../../src/core/text/json.ts";
import type { Action } from "../../src/drivers/scripted/script.ts";
import { createScriptedDriver } from "../../src/drivers/scripted/scripted-driver.ts";
import { floodBytes } from "./limits.ts";
import type { Step } from "./misbehavior.ts";

type ScriptOptions = { readonly steps: readonly Step[]; readonly marker: string; readonly limits: ProcessLimits };

/** The same actions as a script for scripted agents, which have their own names for most of them. */
export function scriptedActor({ steps, marker, limits }: ScriptOptions): Driver {
  const told = steps.filter((step) => step.do !== "succeed").flatMap((step) => toActions(step, marker));
  const reply = steps.find((step) => step.do === "succeed")?.["text"];
  const rule = { do: told, ...(typeof reply === "string" ? { reply } : { output: {} }) };
  return createScriptedDriver({ file: "a misbehaviour", agents: [rule] }, { limits });
}

const LOOP = "while :; do :; done";

const ACTIONS: Readonly<Record<string, (step: Step, marker: string) => readonly Action[]>> = {
  hang: () => [{ misbehave: "hang" }],
  exit: ({ code }) => [{ misbehave: `exit:${String(code)}` }],
  die: () => [{ misbehave: "crash" }],
  drip: () => [{ misbehave: "drip" }],
  spin: () => [{ run: `${LOOP} & ${LOOP} & ${LOOP}` }],
  child: (_step, marker) => [leaveChild(marker)],
  children: ({ count }, marker) => Array.from({ length: toNumber(count) }, () => leaveChild(marker)),
  daemon: (_step, marker) => [{ run: `env -i setsid sleep ${marker} < /dev/null > /dev/null 2>&1 &` }],
  floodLine: () => [{ misbehave: `flood:${floodBytes("scripted") * 2}` }],
  wreck: () => [{ run: 'rm -rf "$PWD"' }],
};

const leaveChild = (marker: string): Action => ({ run: `setsid sleep ${marker} &` });
const toNumber = (value: Json | undefined): number => (typeof value === "number" ? value : 0);

function toActions(step: Step, marker: string): readonly Action[] {
  const action = ACTIONS[step.do];
  if (!action) throw new Error(`a script has no word for "${step.do}"`);
  return action(step, marker);
}

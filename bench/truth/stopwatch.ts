import type { EngineDeps } from "../../src/engine/engine.ts";

/** Milliseconds that the commands took on both trees, and what the exam took beside them. */
export type Spent = { readonly commandsMs: number; readonly examMs: number };

/** The same performer, with a clock: the label of an effect says whether the exam asked for it. */
export function stopwatch(performer: EngineDeps["performer"]) {
  const spent = { commandsMs: 0, examMs: 0 };
  const timed: EngineDeps["performer"]["perform"] = async (effect, signal) => {
    const from = performance.now();
    const result = await performer.perform(effect, signal);
    const ms = performance.now() - from;
    if (effect.kind === "exam" || /@(?:old-on-new|new-on-old)/.test(effect.id)) spent.examMs += ms;
    else if (effect.kind === "check") spent.commandsMs += ms;
    return result;
  };
  return { performer: { ...performer, perform: timed }, spent: (): Spent => ({ ...spent }) };
}

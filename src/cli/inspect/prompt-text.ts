import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { AttemptView } from "../../views/attempts.ts";
import type { Call } from "../call.ts";
import type { ViewedRun } from "../runs/with-run.ts";
import { resolveSpool } from "./spool-text.ts";
import { formatLine } from "./stream-lines.ts";

/** Prints complete prompts, which contain everything that an answer can be judged by. */
export async function printPrompts(
  call: Call,
  { store, row }: ViewedRun,
  attempts: readonly AttemptView[],
): Promise<number> {
  const read = await Promise.all(
    attempts.map(async ({ started }) => {
      const text = await readFile(join(resolveSpool(store, started), "prompt.md"), "utf8").catch(() => undefined);
      return text === undefined ? [] : [{ key: started.key, attempt: started.attempt, prompt: text.trimEnd() }];
    }),
  );
  const prompts = read.flat();
  if (prompts.length === 0)
    throw new SignalboxError(
      "USAGE",
      `Run ${row.id} has no stored prompt for this step.`,
      "The step was not dispatched yet, an older version ran it, or `signalbox gc` removed the prompt.",
    );
  if (call.json) call.emit({ v: 1, run: row.id, prompts });
  for (const { key, attempt, prompt } of call.json ? [] : prompts) {
    call.print(`${call.paint.bold("── ")}${toOneLine(key, 80)}  attempt ${attempt}`);
    for (const line of prompt.split("\n")) call.print(formatLine(line));
    call.print("");
  }
  return 0;
}

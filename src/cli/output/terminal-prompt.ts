import { createInterface } from "node:readline/promises";
import { SignalboxError } from "../../core/failure/errors.ts";

/** Asks the person at the terminal. An empty answer yields `otherwise`. Call only if `call.terminal` is true. */
export async function askLine(question: string, otherwise: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D close the prompt without an answer.
  const gone = new Promise<never>((_resolve, reject) => lines.once("close", () => reject(toUnansweredError())));
  gone.catch(() => undefined);
  try {
    const answer = await Promise.race([lines.question(`${question} › `), gone]);
    return answer.trim() || otherwise;
  } finally {
    lines.close();
  }
}

export async function askConsent(question: string, { otherwise }: { readonly otherwise: boolean }): Promise<boolean> {
  const answer = await askLine(`${question} ${otherwise ? "[Y/n]" : "[y/N]"}`, otherwise ? "y" : "n");
  return /^y(es)?$/i.test(answer);
}

function toUnansweredError(): SignalboxError {
  return new SignalboxError("USAGE", "The question was not answered. Nothing was changed.", "Run the command again.");
}

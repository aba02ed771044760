import { createInterface } from "node:readline/promises";
import { SignalboxError } from "../../core/failure/errors.ts";

/** Asks the person at the terminal; an empty answer is `otherwise`. Call it only where `call.terminal` is true. */
export async function askLine(question: string, otherwise: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D close it, and are an answer to no question.
  const gone = new Promise<never>((_resolve, reject) => lines.once("close", () => reject(unanswered())));
  gone.catch(() => undefined);
  try {
    const said = await Promise.race([lines.question(`${question} › `), gone]);
    return said.trim() || otherwise;
  } finally {
    lines.close();
  }
}

export async function askConsent(question: string, { otherwise }: { readonly otherwise: boolean }): Promise<boolean> {
  const said = await askLine(`${question} ${otherwise ? "[Y/n]" : "[y/N]"}`, otherwise ? "y" : "n");
  return /^y(es)?$/i.test(said);
}

function unanswered(): SignalboxError {
  return new SignalboxError("USAGE", "The question was left without an answer; nothing was changed.", "Try again.");
}

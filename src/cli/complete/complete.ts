import type { Command } from "commander";
import { cleanText } from "../../surfaces/terminal/clean-text.ts";
import { createCall } from "../call.ts";
import { createRedactor } from "../secrets/redactor.ts";
import { listCompletions } from "./completions.ts";
import { parsePosition } from "./cursor-position.ts";
import { type Completion, readRepositoryNames } from "./repository-names.ts";
import { escapeWord, parseShellLine } from "./shell-line.ts";

/**
 * Handles `__complete words <word>…`, or `__complete line <line> <breaks>` for bash, which passes the raw line. Prints
 * completions of the last word, one per line, each followed by a tab and a description. Never fails, because an error
 * message at a key press would disturb the prompt.
 */
export async function printCompletions(program: Command, [form, ...given]: readonly string[]): Promise<void> {
  try {
    const [line = "", breaks = ""] = given;
    const typed = form === "line" ? parseShellLine(line) : undefined;
    const words = typed ? typed.words.slice(1) : given;
    const place = parsePosition(program, words);
    const dir = place.values.get("-C");
    const call = createCall({ json: true, ...(dir === undefined ? {} : { dir }) });
    const offers = await listCompletions(place, { program, known: readRepositoryNames(call) });
    const shape =
      typed && !typed.quoted ? (value: string) => trimToBreak(value, place.word, breaks) : (value: string) => value;
    process.stdout.write(formatCompletions(offers, shape));
  } catch {
    // No completions.
  }
}

function formatCompletions(offers: readonly Completion[], shape: (value: string) => string): string {
  const redact = createRedactor(process.env);
  return offers
    .filter(({ value }) => cleanText(value) === value && !/[\n\t]/.test(value))
    .map(({ value, about }) => `${redact(shape(value))}\t${redact(cleanText(about).replaceAll(/\s+/g, " "))}\n`)
    .join("");
}

/** Drops the part before the last word break, because bash replaces only what follows it. */
function trimToBreak(value: string, word: string, breaks: string): string {
  const kept = Math.max(...[...":="].filter((sign) => breaks.includes(sign)).map((sign) => word.lastIndexOf(sign)), -1);
  return escapeWord(value.slice(kept + 1));
}

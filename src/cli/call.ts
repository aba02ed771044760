import { jsonLine } from "../core/text/json-line.ts";
import { redactDeep } from "../core/text/redact-deep.ts";
import { fitted } from "../surfaces/terminal/columns.ts";
import { type Paint, paintFor } from "../surfaces/terminal/paint.ts";
import { redactor } from "./secrets/redactor.ts";

/** One use of the program: where, in which form it answers, and how. */
export type Call = {
  readonly dir: string;
  readonly json: boolean;
  readonly paint: Paint;
  /** A person sits in front of it and can be asked. */
  readonly terminal: boolean;
  /** Columns of the terminal; no end where nobody looks at one. */
  readonly width: number;
  /** Within the terminal's width, where there is one. */
  print(line: string): void;
  /** As it is: for texts that a program or a person takes away. */
  verbatim(text: string): void;
  /** One JSON text on a line of its own. */
  emit(document: unknown): void;
};

export function callOf(globals: { readonly dir?: string; readonly json?: boolean }): Call {
  const json = globals.json ?? false;
  // A reader that has gone away (`| head`) is no reason to stop a run.
  process.stdout.on("error", () => {});
  // The last place before a person or a log sees it: whatever a command forgot is taken out here.
  const redact = redactor(process.env);
  const write = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const print = (text: string): void => {
    for (const line of redact(text).split("\n")) for (const each of fitted(line, widthNow())) write(each);
  };
  return {
    dir: globals.dir ?? process.cwd(),
    json,
    paint: paintFor(process.stdout, process.env),
    terminal: !json && process.stdin.isTTY === true && process.stdout.isTTY === true,
    width: widthNow(),
    print,
    verbatim: (text) => write(redact(text)),
    // Readers that split lines as Unicode does must not find one inside a document.
    emit: (document) => write(jsonLine(redactDeep(document, redact))),
  };
}

/** Asked for each line: a window may change its size while a run goes on. */
function widthNow(): number {
  return (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY;
}

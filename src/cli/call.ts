import { jsonLine } from "../core/text/json-line.ts";
import { redactDeep } from "../core/text/redact-deep.ts";
import { withoutCommands } from "../core/text/without-commands.ts";
import { printable } from "../surfaces/terminal/clean-text.ts";
import { fitted } from "../surfaces/terminal/columns.ts";
import { inAscii } from "../surfaces/terminal/glyph.ts";
import { type Paint, PLAIN, paintFor } from "../surfaces/terminal/paint.ts";
import { redactor } from "./secrets/redactor.ts";

/** One use of the program: where, in which form it answers, and how. */
export type Call = {
  readonly dir: string;
  /** The team's store, where the command line names one. */
  readonly postgres: string | undefined;
  readonly json: boolean;
  readonly paint: Paint;
  /** A person sits in front of it and can be asked. */
  readonly terminal: boolean;
  /** What happens now may be drawn below what has happened: a person looks, at a terminal that can. */
  readonly live: boolean;
  /** Only our own signs that every terminal has. */
  readonly ascii: boolean;
  /** Columns of the terminal; no end where nobody looks at one. */
  readonly width: number;
  /** Within the terminal's width, where there is one; never a command to the runner of a workflow that reads along. */
  print(line: string): void;
  /** As it is: for texts that a program or a person takes away. */
  verbatim(text: string): void;
  /** One JSON text on a line of its own. */
  emit(document: unknown): void;
  /** Hands every line that is printed to somebody else from now on; without one they are written out again. */
  divert(sink: ((line: string) => void) | undefined): void;
};

export type CallOptions = {
  readonly dir?: string;
  readonly postgres?: string;
  readonly json?: boolean;
  /** Lines without colours, and nothing that moves. */
  readonly plain?: boolean;
  readonly ascii?: boolean;
};

export function callOf({ dir, postgres, json = false, plain = false, ascii = isNarrow() }: CallOptions): Call {
  // A reader that has gone away (`| head`) is no reason to stop a run.
  process.stdout.on("error", () => {});
  // The last place before a person or a log sees it: whatever a command forgot is taken out here.
  const redact = redactor(process.env);
  const write = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  let sink = write;
  const harmless = process.env["GITHUB_ACTIONS"] === "true" ? withoutCommands : (text: string) => text;
  const print = (text: string): void => {
    const clean = harmless(printable(redact(text)));
    const said = ascii ? inAscii(clean) : clean;
    for (const line of said.split("\n")) for (const each of fitted(line, widthNow())) sink(each);
  };
  const terminal = !json && process.stdin.isTTY === true && process.stdout.isTTY === true;
  return {
    dir: dir ?? process.cwd(),
    postgres,
    json,
    paint: plain ? PLAIN : paintFor(process.stdout, process.env),
    terminal,
    live: terminal && !plain && canMove(process.env),
    ascii,
    get width() {
      return widthNow();
    },
    divert: (to) => {
      sink = to ?? write;
    },
    print,
    verbatim: (text) => sink(redact(text)),
    // Readers that split lines as Unicode does must not find one inside a document.
    emit: (document) => write(jsonLine(redactDeep(document, redact))),
  };
}

/** A log is read later, and a terminal that cannot go back to a line cannot change it. */
function canMove(env: NodeJS.ProcessEnv): boolean {
  return env["TERM"] !== "dumb" && (!env["CI"] || env["CI"] === "false");
}

/** Only where a terminal's locale says so: without one UTF-8 is what they know. */
function isNarrow({ stdout, env } = process): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  if (!stdout.isTTY) return false;
  return /^(?:C|POSIX)$/.test(locale) || (/\./.test(locale) && !/utf-?8/i.test(locale));
}

/** Asked for each line: a window may change its size while a run goes on. */
function widthNow(): number {
  return (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY;
}

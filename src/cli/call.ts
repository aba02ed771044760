import { formatJsonLine } from "../core/text/json-line.ts";
import { redactDeep } from "../core/text/redact-deep.ts";
import { escapeRunnerCommands } from "../core/text/runner-commands.ts";
import { stripHarmful } from "../surfaces/terminal/clean-text.ts";
import { fitLine } from "../surfaces/terminal/columns.ts";
import { toAscii } from "../surfaces/terminal/glyph.ts";
import { type Paint, PLAIN, selectPaint } from "../surfaces/terminal/paint.ts";
import { createRedactor } from "./secrets/redactor.ts";

/** One invocation of the program: its directory, output format and output functions. */
export type Call = {
  readonly dir: string;
  /** Postgres URL given on the command line. */
  readonly postgres: string | undefined;
  readonly json: boolean;
  readonly paint: Paint;
  /** A person is at the terminal and can be asked. */
  readonly terminal: boolean;
  /** A live display may be drawn below past output: a person is looking, and the terminal can redraw lines. */
  readonly live: boolean;
  /** Replace our own symbols by ASCII ones. */
  readonly ascii: boolean;
  /** Columns of the terminal; infinite if the output is not a terminal. */
  readonly width: number;
  /**
   * Prints a line wrapped to the terminal's width. On GitHub Actions, text that would act as a workflow command is
   * neutralized.
   */
  print(line: string): void;
  /** Prints without wrapping, for texts that are copied or piped. Secrets are still redacted. */
  verbatim(text: string): void;
  /** Prints one JSON document on its own line. */
  emit(document: unknown): void;
  /** Sends printed lines to `sink` instead of standard output, until called again without one. */
  divert(sink: ((line: string) => void) | undefined): void;
};

export type CallOptions = {
  readonly dir?: string;
  readonly postgres?: string;
  readonly json?: boolean;
  /** No colors and no live display. */
  readonly plain?: boolean;
  readonly ascii?: boolean;
};

export function createCall({ dir, postgres, json = false, plain = false, ascii = isAsciiOnly() }: CallOptions): Call {
  // A closed reader (`| head`) must not stop a run.
  process.stdout.on("error", () => {});
  // Last point before output leaves the process: redacts whatever a command forgot to redact.
  const redact = createRedactor(process.env);
  const write = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  let sink = write;
  const harmless = process.env["GITHUB_ACTIONS"] === "true" ? escapeRunnerCommands : (text: string) => text;
  const print = (text: string): void => {
    const clean = harmless(stripHarmful(redact(text)));
    const said = ascii ? toAscii(clean) : clean;
    for (const line of said.split("\n")) for (const each of fitLine(line, readWidth())) sink(each);
  };
  const terminal = !json && process.stdin.isTTY === true && process.stdout.isTTY === true;
  return {
    dir: dir ?? process.cwd(),
    postgres,
    json,
    paint: plain ? PLAIN : selectPaint(process.stdout, process.env),
    terminal,
    live: terminal && !plain && canRedraw(process.env),
    ascii,
    get width() {
      return readWidth();
    },
    divert: (to) => {
      sink = to ?? write;
    },
    print,
    verbatim: (text) => sink(redact(text)),
    // `formatJsonLine` escapes Unicode line separators, so readers that split on them see one line.
    emit: (document) => write(formatJsonLine(redactDeep(document, redact))),
  };
}

/** A CI log is read later, and a dumb terminal cannot redraw a line. */
function canRedraw(env: NodeJS.ProcessEnv): boolean {
  return env["TERM"] !== "dumb" && (!env["CI"] || env["CI"] === "false");
}

/** True only if the terminal's locale names another charset; terminals without a locale are assumed to read UTF-8. */
function isAsciiOnly({ stdout, env } = process): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  if (!stdout.isTTY) return false;
  return /^(?:C|POSIX)$/.test(locale) || (/\./.test(locale) && !/utf-?8/i.test(locale));
}

/** Read for each line, because a window may be resized during a run. */
function readWidth(): number {
  return (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY;
}

import type { JournalRecord } from "../../core/journal/record.ts";
import type { Json } from "../../core/text/json.ts";
import { removeSequences } from "../../core/text/terminal-sequences.ts";
import { breakLine, fitLine } from "../../surfaces/terminal/columns.ts";
import { createNarrator } from "../../surfaces/terminal/narrator.ts";
import type { Call } from "../call.ts";
import { toEvent } from "../runs/run-store.ts";
import { isInteresting } from "./interesting-records.ts";

/** Output of the demo: lines for people, or the run's events with `demo.*` events in between. */
export type DemoOutput = {
  say(text: string): void;
  command(line: string): void;
  answer(command: string, lines: readonly string[]): void;
  tell(record: JournalRecord): void;
  /** Emits an event in JSON output only. */
  note(type: string, facts: Readonly<Record<string, unknown>>): void;
  line(text: string): void;
};

export function createDemoOutput(call: Call): DemoOutput {
  return call.json ? createEventOutput(call) : createLineOutput(call);
}

function createEventOutput({ emit }: Call): DemoOutput {
  const note: DemoOutput["note"] = (type, facts) => emit({ v: 1, type: `demo.${type}`, ...facts });
  return {
    note,
    say: (text) => note("said", { text }),
    command: (command) => note("ran", { command }),
    answer: (command, lines) => note("showed", { command, document: JSON.parse(lines.join("\n")) as Json }),
    tell: (record) => emit(toEvent(record)),
    line: () => {},
  };
}

/** Maximum width; longer lines are harder to read. */
const MAX_WIDTH = 100;
/** Prefix of the demo's own text. */
const BAR = "│ ";

function createLineOutput(call: Call): DemoOutput {
  const { paint, print: printed } = call;
  const narrator = createNarrator(paint);
  let last = "";
  const print = (text: string): void => {
    if (text === "" && last === "") return;
    last = text;
    printed(text);
  };
  const line = (text: string): void => {
    for (const each of fitLine(text, Math.min(call.width, MAX_WIDTH))) print(each);
  };
  return {
    line,
    say: (text) => {
      print("");
      const room = Math.min(call.width, MAX_WIDTH) - BAR.length;
      for (const each of breakLine(text, room)) print(paint.cyan(`${BAR}${each}`));
    },
    // Printed unwrapped so that it can be copied.
    command: (command) => print(paint.bold(`$ ${command}`)),
    answer: (_command, lines) => {
      for (const each of lines) line(`  ${each}`.trimEnd());
      print("");
    },
    tell: (record) => {
      if (!isInteresting(record)) return narrator.recall(record);
      const lines = narrator.tell(record);
      // Commands are left out at the end, because the repository is deleted with the demo.
      for (const each of record.type === "run.finished" ? lines.filter(isNotCommand) : lines) line(each);
    },
    note: () => {},
  };
}

const isNotCommand = (line: string): boolean => !/^\s+(?:next: )?signalbox \S/.test(removeSequences(line));

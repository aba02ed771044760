import type { JournalRecord } from "../../core/journal/record.ts";
import type { Json } from "../../core/text/json.ts";
import { withoutSequences } from "../../core/text/terminal-sequences.ts";
import { fitted, inColumns } from "../../surfaces/terminal/columns.ts";
import { createNarrator } from "../../surfaces/terminal/narrator.ts";
import type { Call } from "../call.ts";
import { eventOf } from "../runs/run-store.ts";
import { isWorthTelling } from "./worth-telling.ts";

/** How the demo speaks: lines for people, or events with lines of its own, of type `demo.*`, between them. */
export type Voice = {
  say(text: string): void;
  command(line: string): void;
  answer(command: string, lines: readonly string[]): void;
  tell(record: JournalRecord): void;
  /** What only a program wants to know. */
  note(type: string, facts: Readonly<Record<string, unknown>>): void;
  line(text: string): void;
};

export function createVoice(call: Call): Voice {
  return call.json ? eventVoice(call) : lineVoice(call);
}

function eventVoice({ emit }: Call): Voice {
  const note: Voice["note"] = (type, facts) => emit({ v: 1, type: `demo.${type}`, ...facts });
  return {
    note,
    say: (text) => note("said", { text }),
    command: (command) => note("ran", { command }),
    answer: (command, lines) => note("showed", { command, document: JSON.parse(lines.join("\n")) as Json }),
    tell: (record) => emit(eventOf(record)),
    line: () => {},
  };
}

/** Wider is not easier to read. */
const WIDEST = 100;
/** Before every line of the demo's own voice. */
const BAR = "│ ";

function lineVoice(call: Call): Voice {
  const { paint, print: printed } = call;
  const narrator = createNarrator(paint);
  let last = "";
  const print = (text: string): void => {
    if (text === "" && last === "") return;
    last = text;
    printed(text);
  };
  const line = (text: string): void => {
    for (const each of fitted(text, Math.min(call.width, WIDEST))) print(each);
  };
  return {
    line,
    say: (text) => {
      print("");
      const room = Math.min(call.width, WIDEST) - BAR.length;
      for (const each of inColumns(text, room)) print(paint.cyan(`${BAR}${each}`));
    },
    // What can be pasted stays whole: the terminal's own break is none.
    command: (command) => print(paint.bold(`$ ${command}`)),
    answer: (_command, lines) => {
      for (const each of lines) line(`  ${each}`.trimEnd());
      print("");
    },
    tell: (record) => {
      if (!isWorthTelling(record)) return narrator.recall(record);
      const lines = narrator.tell(record);
      // The repository goes with the demo: nothing can be done next in it.
      for (const each of record.type === "run.finished" ? lines.filter(isNoCommand) : lines) line(each);
    },
    note: () => {},
  };
}

const isNoCommand = (line: string): boolean => !/^\s+(?:next: )?signalbox \S/.test(withoutSequences(line));

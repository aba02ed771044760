import { createInterface } from "node:readline/promises";
import type { Host } from "../core/ports/host.ts";
import type { JournalRecord } from "../core/record.ts";
import { oneLine } from "../surfaces/terminal/clean-text.ts";
import { questionLines } from "../surfaces/terminal/question-lines.ts";
import { answeredLine } from "./already-answered.ts";
import type { Call } from "./call.ts";
import { userName } from "./user-name.ts";

type Asked = JournalRecord<"approval.requested">;
type Parts = { readonly call: Call; readonly host: Host; readonly interrupt: () => void };

export type TerminalQuestions = {
  heard(record: JournalRecord): void;
  /** Questions that were asked before this process began: nobody has seen what they show yet. */
  recall(records: readonly JournalRecord[]): void;
  close(): void;
};

/**
 * Asks open questions on the terminal, one at a time, and posts the answer to the inbox like every other surface.
 * An answer from elsewhere takes the question away again.
 */
export function askOnTerminal({ call, host, interrupt }: Parts): TerminalQuestions {
  const open = new Map<string, Open>();
  let autonomous = false;
  let asking = Promise.resolve();

  const ask = async ({ asked, gone, old }: Open): Promise<void> => {
    if (gone.signal.aborted) return;
    if (old) for (const line of questionLines(call.paint, asked)) call.print(line);
    const reply = await prompt({ asked, call, interrupt, signal: gone.signal });
    if (!reply) return;
    const { approval, hash, run } = asked;
    const earlier = await host.inbox.post(run, { kind: "answer", approval, hash, by: userName(), ...reply });
    if (earlier) call.print(`  ${call.paint.yellow(answeredLine(earlier, Date.now()))}`);
  };

  const take = (record: JournalRecord, old: boolean): void => {
    if (record.type === "run.started") autonomous = record.approvals === "autonomous";
    if (record.type === "approval.decided") open.get(record.approval)?.gone.abort();
    if (record.type !== "approval.requested" || record.pause) return;
    if (autonomous && record.auto !== "never") return;
    const question = { asked: record, gone: new AbortController(), old };
    open.set(record.approval, question);
    asking = asking.then(() => ask(question)).catch(() => undefined);
  };

  return {
    heard: (record) => take(record, false),
    recall: (records) => {
      for (const record of records) take(record, true);
    },
    close() {
      for (const { gone } of open.values()) gone.abort();
    },
  };
}

type Open = { readonly asked: Asked; readonly gone: AbortController; readonly old: boolean };

type Prompt = { readonly asked: Asked; readonly signal: AbortSignal } & Pick<Parts, "call" | "interrupt">;

async function prompt({
  asked,
  call,
  interrupt,
  signal,
}: Prompt): Promise<{ choice: string; note?: string } | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.on("SIGINT", interrupt);
  const numbered = asked.choices.map((choice, index) => `${index + 1} ${oneLine(choice)}`).join("   ");
  try {
    for (;;) {
      const said = (await lines.question(`\n  ${numbered}\n  ${call.paint.bold("your choice")} › `, { signal })).trim();
      const choice = asked.choices[Number(said) - 1] ?? asked.choices.find((each) => each === said);
      if (choice === undefined) continue;
      const note = (await lines.question("  a note, if you like › ", { signal })).trim();
      return { choice, ...(note ? { note } : {}) };
    }
  } catch {
    // Answered elsewhere, or the run is over.
    return undefined;
  } finally {
    lines.close();
  }
}

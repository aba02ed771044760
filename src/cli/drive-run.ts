import { join } from "node:path";
import { pagesOf } from "../core/journal-pages.ts";
import type { Host } from "../core/ports/host.ts";
import { PREFLIGHT } from "../core/preflight.ts";
import type { JournalRecord } from "../core/record.ts";
import { createNarrator } from "../surfaces/terminal/narrator.ts";
import type { App } from "./app.ts";
import { eventOf } from "./book.ts";
import type { Call } from "./call.ts";
import { setUpProgress } from "./set-up-progress.ts";
import { heedSignals } from "./signals.ts";
import { askOnTerminal } from "./terminal-questions.ts";

type Driven = Pick<App, "host" | "workspace" | "world" | "project">;

/** Drives a run here until it ends or suspends, telling what happens; gives the exit code. */
export async function driveRun(call: Call, driven: Driven, run: string): Promise<number> {
  const { host, workspace } = driven;
  const past = await recalled(call, host, run);
  // A new run is told from its first record on; a resumed one from where it stopped.
  const { fresh } = past;
  const teller = fresh ? createTeller(call) : past.teller;
  const before = past.teller.seq();
  const signals = heedSignals();
  const over = new AbortController();
  const questions = call.terminal ? askOnTerminal({ call, host, interrupt: signals.interrupt }) : undefined;
  const progress = preflightProgress(call, driven, run);
  const telling = (async () => {
    for await (const record of host.journal.follow(run, teller.seq(), over.signal)) {
      teller.tell(record);
      // Only now: an open question of earlier comes after the line that says who took over.
      if (record.type === "engine.started" && !fresh) questions?.recall(past.questions);
      questions?.heard(record);
      progress.heard(record);
    }
  })();
  try {
    await workspace.restore(run);
    const result = await host.drive(run, signals.stop);
    return result.status === "interrupted" ? (signals.exit() ?? result.exit) : result.exit;
  } catch (error) {
    const last = (await host.journal.load(run, before)).at(-1);
    // The pipeline broke a rule of replay: the run's own last record says so.
    if (last?.type === "run.suspended" && last.status === "broken") return last.exit;
    throw error;
  } finally {
    over.abort();
    progress.close();
    questions?.close();
    signals.close();
    await telling.catch(() => undefined);
    for (const record of await host.journal.load(run, teller.seq())) teller.tell(record);
    await anchorJournal({ host, workspace }, run, teller.seq());
  }
}

/** What a run has behind it: taken in without a word, and what the terminal's questions must know of it. */
async function recalled(call: Call, { journal }: Host, run: string) {
  const teller = createTeller(call);
  const questions: JournalRecord[] = [];
  let fresh = true;
  for await (const records of pagesOf(journal, run)) {
    for (const record of records) {
      teller.recall(record);
      if (record.type === "engine.started") fresh = false;
      if (record.type === "run.started" || record.type.startsWith("approval.")) questions.push(record);
    }
  }
  return { teller, questions, fresh };
}

/** Between the beginning and the end of the preflight nothing is recorded: what its set-up prints is shown instead. */
function preflightProgress(call: Call, { project, world }: Driven, run: string) {
  let watch: { close(): void } | undefined;
  const close = (): void => watch?.close();
  return {
    close,
    heard(record: JournalRecord): void {
      if (call.json || !("key" in record)) return;
      if (record.type === "step.started" && record.phase === PREFLIGHT && record.verb === "check") {
        const spools = join(project.places.runs, run, "spool");
        watch = setUpProgress({
          spools,
          redact: world.redact,
          say: (line) => call.print(call.paint.dim(`          ${line}`)),
        });
      }
      if (record.type === "step.finished") close();
    },
  };
}

/**
 * The journal's head goes under a ref of its own: whoever changes the database alone afterwards is found out. What a
 * resting run needs goes where no tidying reaches it.
 */
async function anchorJournal(
  { host, workspace }: Pick<Driven, "host" | "workspace">,
  run: string,
  seq: number,
): Promise<void> {
  const last = (await host.journal.load(run, seq - 1)).at(-1);
  if (!last) return;
  try {
    await workspace.anchor({ run, chain: `${last.seq}:${last.chain}` });
    if (last.type === "run.suspended") await workspace.keep(run);
  } catch (error) {
    // The run rests already and has said why, or is anchored by whoever takes it up.
    if (last.type !== "run.suspended") throw error;
  }
}

type Teller = { recall(record: JournalRecord): void; tell(record: JournalRecord): void; seq(): number };

/** Prints each record once, in the form that was asked for. */
export function createTeller(call: Call): Teller {
  const narrator = createNarrator(call.paint);
  let seq = 0;
  return {
    seq: () => seq,
    recall(record) {
      seq = record.seq;
      if (!call.json) narrator.recall(record);
    },
    tell(record) {
      if (record.seq <= seq) return;
      seq = record.seq;
      if (call.json) call.emit(eventOf(record));
      else for (const line of narrator.tell(record)) call.print(line);
    },
  };
}

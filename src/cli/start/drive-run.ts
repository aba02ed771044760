import { pagesOf } from "../../core/journal/journal-pages.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";
import { ownerName } from "../../hosts/sqlite/owner.ts";
import { createNarrator } from "../../surfaces/terminal/narrator.ts";
import type { RunView } from "../../views/run-view.ts";
import type { App } from "../app.ts";
import type { Call } from "../call.ts";
import { ATTENTION, type AttentionTerms, createAttention } from "../live/attention.ts";
import { createPageFeed, type PageFeed } from "../live/page-feed.ts";
import { type ShownRun, showRun } from "../live/show-run.ts";
import { sayLacking } from "../notify/lacking-targets.ts";
import { postNotices } from "../notify/post-notices.ts";
import type { AskedReport } from "../report/reporters.ts";
import { writeReports } from "../report/write-reports.ts";
import { endOf, runEnded } from "../runs/ended-run.ts";
import { foldRun } from "../runs/fold-run.ts";
import { eventOf } from "../runs/run-store.ts";
import { filesAsked, wholeLines } from "../runs/whole-question.ts";
import { sendTelemetry } from "../telemetry/send-telemetry.ts";
import { breakSilence } from "./break-silence.ts";
import { heedSignals, type Signals } from "./signals.ts";
import { askOnTerminal } from "./terminal-questions.ts";

type DriveParts = Pick<App, "host" | "workspace" | "world" | "project" | "leaveQuestions" | "targets" | "collector">;

type Driven = {
  readonly run: string;
  readonly reports?: readonly AskedReport[];
  readonly attention?: AttentionTerms;
};

/** Drives a run here until it ends or suspends, telling what happens; gives the exit code. */
export async function driveRun(
  call: Call,
  driven: DriveParts,
  { run, reports = [], attention }: Driven,
): Promise<number> {
  const { host, workspace, world } = driven;
  sayLacking(call, driven.targets);
  const store = { host, world, places: driven.project.places };
  const feed = call.live ? createPageFeed(store, run) : undefined;
  const past = await recalled(call, { journal: host.journal, heard: (record) => feed?.take(record) }, run);
  // A new run is told from its first record on; a resumed one from where it stopped.
  const { fresh } = past;
  const printer = fresh ? createRunPrinter(call) : past.teller;
  const before = past.teller.seq();
  const signals = heedSignals(feed && call.print);
  const over = new AbortController();
  const company = companyOf(call, driven, {
    ...{ run, feed, past, signals, attention },
    agents: () => printer.view().agents,
  });
  const notices = postNotices({ ...driven, places: driven.project.places, trusted: isTrusted(driven.project) }, run);
  const telemetry = sendTelemetry(driven, { run, after: before });
  const telling = (async () => {
    for await (const record of host.journal.follow(run, printer.seq(), over.signal)) {
      printer.tell(record);
      company.heard(record);
    }
  })();
  try {
    await workspace
      .owned(signals.stop, () => workspace.restore(run))
      .catch((error: unknown) => {
        if (!signals.stop.aborted) throw error;
      });
    const result = await host.drive(run, signals.stop);
    // Somebody else ended it while this process was still reading: it did nothing, and must not leave without a word.
    const end = fresh || (await hasDriven(host, run, before)) ? undefined : await endOf({ host }, run);
    if (end) throw runEnded(end, world.now());
    return result.status === "interrupted" ? (signals.exit() ?? result.exit) : result.exit;
  } catch (error) {
    const last = (await host.journal.load(run, before)).at(-1);
    // The pipeline broke a rule of replay: the run's own last record says so.
    if (last?.type === "run.suspended" && last.status === "broken") return last.exit;
    throw error;
  } finally {
    over.abort();
    company.leave();
    await telling.catch(() => undefined);
    await notices.close();
    for (const record of await host.journal.load(run, printer.seq())) printer.tell(record);
    company.close();
    signals.close();
    await writeReports(call, { host, world, places: driven.project.places }, { run, asked: reports });
    await anchorJournal({ host, workspace }, run, printer.seq());
    await telemetry.close();
  }
}

/** A yes for this call alone goes with what is sent for it. */
function isTrusted({ trust }: Pick<App["project"], "trust">): boolean {
  return trust === "this call";
}

type Company = {
  readonly run: string;
  readonly feed: PageFeed | undefined;
  readonly past: Awaited<ReturnType<typeof recalled>>;
  readonly signals: Signals;
  readonly attention: AttentionTerms | undefined;
  agents(): RunView["agents"];
};

/** What else a person has of a run: it is drawn, or silence is broken; and questions are asked. */
function companyOf(call: Call, driven: DriveParts, { run, feed, past, signals, attention, agents }: Company) {
  const { host, world, project } = driven;
  const store = { host, world, places: project.places };
  const answers = { isWaiting: (): boolean => questions?.isWaiting() ?? false, ask: (): void => questions?.ask() };
  const shown: ShownRun | undefined = feed && showRun(call, { store, feed, run, answers });
  const { interrupt } = signals;
  const questions = call.terminal ? asking(call, driven, { interrupt, aside: shown?.aside }) : undefined;
  const silence = shown ? undefined : breakSilence(call, { ...store, run, started: past.started, agents });
  const caller = shown && createAttention((text) => process.stdout.write(text), attention ?? ATTENTION);
  return {
    heard(record: JournalRecord): void {
      shown?.heard(record);
      caller?.heard(record);
      // Only now: an open question of earlier comes after the line that says who took over.
      if (record.type === "engine.started" && !past.fresh) {
        questions?.recall(past.questions);
        for (const each of unanswered(past.questions)) caller?.heard(each);
      }
      questions?.heard(record);
      silence?.heard(record);
    },
    leave(): void {
      silence?.close();
      questions?.close();
    },
    close(): void {
      caller?.close();
      shown?.close();
    },
  };
}

/** Without those that have their answer. */
function unanswered(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const decided = new Set(records.flatMap((each) => (each.type === "approval.decided" ? [each.approval] : [])));
  return records.filter((each) => !("approval" in each && decided.has(each.approval ?? "")));
}

type Asking = Pick<Signals, "interrupt"> & { readonly aside: ShownRun["aside"] | undefined };

function asking(call: Call, { host, world, project, leaveQuestions: leave }: DriveParts, { interrupt, aside }: Asking) {
  return askOnTerminal({
    call,
    host,
    interrupt,
    ...(aside ? { aside } : {}),
    leave,
    whole: async (asked) => {
      const view = await foldRun(host, asked.run);
      const files = await filesAsked({ store: { places: project.places, world }, asked, view });
      return world.redact(wholeLines(asked, files).join("\n"));
    },
  });
}

/** Whether this process owned the run at any time after that record. */
async function hasDriven({ journal }: Host, run: string, after: number): Promise<boolean> {
  const owner = ownerName();
  const records = await journal.load(run, after);
  return records.some((record) => record.type === "engine.started" && record.owner === owner);
}

type Recall = Pick<Host, "journal"> & { heard(record: JournalRecord): void };

/** What a run has behind it: taken in without a word, and what the terminal's questions must know of it. */
async function recalled(call: Call, { journal, heard }: Recall, run: string) {
  const printer = createRunPrinter(call);
  const questions: JournalRecord[] = [];
  let fresh = true;
  for await (const records of pagesOf(journal, run)) {
    for (const record of records) {
      printer.recall(record);
      heard(record);
      if (record.type === "engine.started") fresh = false;
      if (record.type === "run.started" || record.type.startsWith("approval.")) questions.push(record);
    }
  }
  const started = questions.find((record) => record.type === "run.started");
  return { teller: printer, questions, fresh, started };
}

/**
 * The journal's head goes under a ref of its own: whoever changes the database alone afterwards is found out. What a
 * resting run needs goes where no tidying reaches it.
 */
async function anchorJournal(
  { host, workspace }: Pick<DriveParts, "host" | "workspace">,
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

type RunPrinter = {
  recall(record: JournalRecord): void;
  tell(record: JournalRecord): void;
  seq(): number;
  view(): RunView;
};

/** Prints each record once, in the form that was asked for. */
export function createRunPrinter(call: Call): RunPrinter {
  const narrator = createNarrator(call.paint);
  let seq = 0;
  return {
    seq: () => seq,
    view: narrator.view,
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

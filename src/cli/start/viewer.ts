import { readJournalPages } from "../../core/journal/journal-pages.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Host } from "../../core/ports/host.ts";
import type { RunView } from "../../views/run-view.ts";
import type { Call } from "../call.ts";
import { ATTENTION, type AttentionTerms, createAttention } from "../live/attention.ts";
import type { PageFeed } from "../live/page-feed.ts";
import { openRunDisplay, type RunDisplay } from "../live/run-display.ts";
import { foldRun } from "../runs/fold-run.ts";
import { formatQuestion, readQuestionFiles } from "../runs/questions/question-text.ts";
import type { RunStore } from "../runs/run-store.ts";
import { isApprover } from "../team/approvers.ts";
import { getPersonName } from "../team/person.ts";
import { printProgress } from "./print-progress.ts";
import { createRunPrinter } from "./run-printer.ts";
import type { Signals } from "./signals.ts";
import { askOnTerminal } from "./terminal-questions.ts";

type ViewerInputs = {
  readonly run: string;
  readonly feed: PageFeed | undefined;
  readonly past: Awaited<ReturnType<typeof recallRun>>;
  readonly signals: Signals;
  readonly attention: AttentionTerms | undefined;
  agents(): RunView["agents"];
  /** Called when the person leaves: open questions no longer hold the run. */
  leave(): void;
};

/** Connects a person's view of a run: live display or progress lines, questions, and attention signals. */
export function attachViewer(
  call: Call,
  store: RunStore,
  { run, feed, past, signals, attention, agents, leave }: ViewerInputs,
) {
  const answers = { isWaiting: (): boolean => questions?.isWaiting() ?? false, ask: (): void => questions?.ask() };
  const leaving = store.team ? { leaving: "leaves" } : {};
  const shown: RunDisplay | undefined = feed && openRunDisplay(call, { store, feed, run, answers, ...leaving });
  const { interrupt } = signals;
  const questions =
    call.terminal && mayAnswer(store)
      ? askQuestions(call, store, { interrupt, leave, aside: shown?.aside })
      : undefined;
  const silence = shown ? undefined : printProgress(call, { ...store, run, started: past.started, agents });
  const caller = shown && createAttention((text) => process.stdout.write(text), attention ?? ATTENTION);
  return {
    heard(record: JournalRecord): void {
      shown?.heard(record);
      caller?.heard(record);
      // Recalled only now, so that an earlier open question is printed after the takeover.
      if (record.type === "engine.started" && !past.fresh) {
        questions?.recall(past.questions);
        for (const each of dropAnswered(past.questions)) caller?.heard(each);
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

/** Omits questions that have been answered. */
function dropAnswered(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const decided = new Set(records.flatMap((each) => (each.type === "approval.decided" ? [each.approval] : [])));
  return records.filter((each) => !("approval" in each && decided.has(each.approval ?? "")));
}

/** A person whose answer would be dropped is not asked; the question is still displayed. */
const mayAnswer = ({ team }: RunStore): boolean => !team || isApprover(team.store.role, team.approvers);

type QuestionInputs = Pick<Signals, "interrupt"> &
  Pick<ViewerInputs, "leave"> & { readonly aside: RunDisplay["aside"] | undefined };

function askQuestions(call: Call, store: RunStore, { interrupt, leave, aside }: QuestionInputs) {
  const { host, world } = store;
  return askOnTerminal({
    call,
    host,
    by: getPersonName(store),
    interrupt,
    ...(aside ? { aside } : {}),
    leave,
    whole: async (asked) => {
      const view = await foldRun(host, asked.run);
      const files = await readQuestionFiles({ store, asked, view });
      return world.redact(formatQuestion(asked, files).join("\n"));
    },
  });
}

type RecallInputs = Pick<Host, "journal"> & {
  readonly startedWith: readonly string[];
  observe(record: JournalRecord): void;
};

/** Reads the run's past silently and collects what the terminal questions need from it. */
export async function recallRun(call: Call, { journal, startedWith, observe }: RecallInputs, run: string) {
  const printer = createRunPrinter(call, startedWith);
  const questions: JournalRecord[] = [];
  let fresh = true;
  for await (const records of readJournalPages(journal, run)) {
    for (const record of records) {
      printer.recall(record);
      observe(record);
      if (record.type === "engine.started") fresh = false;
      if (record.type === "run.started" || record.type.startsWith("approval.")) questions.push(record);
    }
  }
  const started = questions.find((record) => record.type === "run.started");
  return { teller: printer, questions, fresh, started };
}

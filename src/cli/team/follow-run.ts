import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Call } from "../call.ts";
import type { AttentionTerms } from "../live/attention.ts";
import { createPageFeed } from "../live/page-feed.ts";
import type { ReportRequest } from "../report/reporters.ts";
import { writeReports } from "../report/write-reports.ts";
import { readStartFlags } from "../runs/start-flags.ts";
import { createRunPrinter } from "../start/run-printer.ts";
import { attachViewer, recallRun } from "../start/viewer.ts";
import { handleDetachSignals } from "./detach-signals.ts";
import { followWithRetry } from "./follow-with-retry.ts";
import { formatShortage, loadShortages, type Shortage } from "./offers/shortage.ts";
import { formatWorkerCommand } from "./offers/worker-command.ts";
import type { TeamRunStore } from "./team-store.ts";

export type FollowRequest = {
  readonly run: string;
  readonly reports?: readonly ReportRequest[];
  readonly attention?: AttentionTerms;
};

/** Interval for checking shortages and fetching the output of agents. */
const LOOK_MS = 3_000;
/** Tolerates a worker that has just started to send heartbeats. */
const PATIENCE_LOOKS = 2;

/**
 * Prints the progress of a run that workers drive until it ends, is suspended, or the person detaches. Returns the exit
 * code.
 */
export async function followRun(call: Call, store: TeamRunStore, { run, reports = [], attention }: FollowRequest) {
  const { host } = store;
  const feed = call.live ? createPageFeed(store, run) : undefined;
  const again = await readStartFlags(store.places, run);
  const observe = (record: JournalRecord) => feed?.take(record);
  const past = await recallRun(call, { journal: host.journal, startedWith: again, observe }, run);
  const printer = past.fresh ? createRunPrinter(call, again) : past.teller;
  const signals = handleDetachSignals();
  const viewer = attachViewer(call, store, {
    ...{ run, feed, past, signals, attention },
    agents: () => printer.view().agents,
    leave: signals.interrupt,
  });
  const left = new AbortController();
  const missing = watchShortage(call, store, run);
  const end = AbortSignal.any([signals.stop, missing.given, left.signal]);
  let last: JournalRecord | undefined;
  try {
    const away = () => printOutage(call);
    const asked = { journal: host.journal, world: store.world, run, after: printer.seq(), signal: end, away };
    for await (const record of followWithRetry(asked)) {
      printer.tell(record);
      viewer.heard(record);
      if (isAtRest(call, record)) {
        last = record;
        break;
      }
    }
  } finally {
    left.abort();
    missing.close();
    viewer.leave();
    viewer.close();
    signals.close();
  }
  if (last && "exit" in last) {
    await store.team.bring(run);
    await writeReports(call, store, { run, asked: reports });
    return last.exit;
  }
  const short = missing.told();
  if (short !== undefined && !signals.stop.aborted) throw createNotOfferedError(run, short);
  printDetached(call, run);
  return 0;
}

function printOutage(call: Call): void {
  if (!call.json) call.print(call.paint.yellow("! lost connection to Postgres; retrying for up to a minute"));
}

/**
 * Returns true if the run has come to rest. With a terminal, an open question is answered here and the run continues. A
 * run whose worker was stopped is taken by another one.
 */
function isAtRest(call: Call, record: JournalRecord): boolean {
  if (record.type === "run.finished") return true;
  if (record.type !== "run.suspended") return false;
  if (record.status === "waiting" && call.terminal) return false;
  return !(record.status === "interrupted" && record.code === undefined);
}

/** Reports each shortage once. Without a terminal a shortage ends the wait. */
function watchShortage(call: Call, store: TeamRunStore, run: string) {
  const given = new AbortController();
  const reported = new Set<string>();
  let looks = 0;
  let short: Shortage | undefined;
  const look = async (): Promise<void> => {
    const [first] = await loadShortages(store.team, run, store.world.now());
    looks = first ? looks + 1 : 0;
    short = first;
    if (!short || looks < PATIENCE_LOOKS) return;
    const text = formatShortage(short);
    if (call.terminal && !reported.has(text))
      call.print(call.paint.yellow(`! ${text}; waiting for a worker that does`));
    reported.add(text);
    if (!call.terminal) given.abort();
  };
  const timer = setInterval(() => {
    void look().catch(() => undefined);
    void store.team.bring(run).catch(() => undefined);
  }, LOOK_MS);
  return {
    given: given.signal,
    told: () => (given.signal.aborted ? short : undefined),
    close: () => clearInterval(timer),
  };
}

function createNotOfferedError(run: string, short: Shortage): SignalboxError {
  return new SignalboxError(
    "NOT_OFFERED",
    `Run ${run} is waiting: ${formatShortage(short)}.`,
    `It stays queued until a worker offers that: start one with \`${formatWorkerCommand(short.missing)}\`. See \`signalbox why ${run}\`; cancel it with \`signalbox cancel ${run}\`.`,
  );
}

/** Warns a person who detaches from a run that no worker can take. */
export async function printShortage(call: Call, store: TeamRunStore, run: string): Promise<void> {
  const [short] = await loadShortages(store.team, run, store.world.now()).catch(() => []);
  if (short && !call.json)
    call.print(call.paint.yellow(`! ${formatShortage(short)}; start one with: ${formatWorkerCommand(short.missing)}`));
}

/** Prints how to follow a run that is left to its workers. */
export function printDetached(call: Call, run: string): void {
  if (call.json) {
    call.emit({ v: 1, run, detached: true });
    return;
  }
  const { paint } = call;
  call.print(`${paint.green("✓")} ${paint.bold(run)} continues on the team's workers`);
  call.print(`  follow: ${paint.cyan(`signalbox events ${run} --follow`)}`);
  call.print(`  answer: ${paint.cyan("signalbox inbox")}    cancel: ${paint.cyan(`signalbox cancel ${run}`)}`);
}

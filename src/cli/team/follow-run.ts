import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { Call } from "../call.ts";
import type { AttentionTerms } from "../live/attention.ts";
import { createPageFeed } from "../live/page-feed.ts";
import type { AskedReport } from "../report/reporters.ts";
import { writeReports } from "../report/write-reports.ts";
import { startedWith } from "../runs/started-with.ts";
import { companyOf, recalled } from "../start/company.ts";
import { createRunPrinter } from "../start/run-printer.ts";
import { heedDetach } from "./detach-signals.ts";
import { followPatiently } from "./follow-patiently.ts";
import { type Shortage, shortagesNow, shortageText } from "./offers/shortage.ts";
import { workerCommand } from "./offers/worker-command.ts";
import type { TeamRunStore } from "./team-store.ts";

export type Followed = {
  readonly run: string;
  readonly reports?: readonly AskedReport[];
  readonly attention?: AttentionTerms;
};

/** How often it is looked whether anybody can take what waits, and what agents print is brought here. */
const LOOK_MS = 3_000;
/** A worker that has just begun to beat is not missed yet. */
const PATIENCE_LOOKS = 2;

/** Tells what happens to a run that workers drive, until it ends, rests, or the person leaves; gives the exit code. */
export async function followRun(call: Call, store: TeamRunStore, { run, reports = [], attention }: Followed) {
  const { host } = store;
  const feed = call.live ? createPageFeed(store, run) : undefined;
  const again = await startedWith(store.places, run);
  const heard = (record: JournalRecord) => feed?.take(record);
  const past = await recalled(call, { journal: host.journal, startedWith: again, heard }, run);
  const printer = past.fresh ? createRunPrinter(call, again) : past.teller;
  const signals = heedDetach();
  const company = companyOf(call, store, {
    ...{ run, feed, past, signals, attention },
    agents: () => printer.view().agents,
    leave: signals.interrupt,
  });
  const left = new AbortController();
  const missing = watchShortage(call, store, run);
  const end = AbortSignal.any([signals.stop, missing.given, left.signal]);
  let last: JournalRecord | undefined;
  try {
    const away = () => sayAway(call);
    const asked = { journal: host.journal, world: store.world, run, after: printer.seq(), signal: end, away };
    for await (const record of followPatiently(asked)) {
      printer.tell(record);
      company.heard(record);
      if (isAtRest(call, record)) {
        last = record;
        break;
      }
    }
  } finally {
    left.abort();
    missing.close();
    company.leave();
    company.close();
    signals.close();
  }
  if (last && "exit" in last) {
    await store.team.bring(run);
    await writeReports(call, store, { run, asked: reports });
    return last.exit;
  }
  const short = missing.told();
  if (short !== undefined && !signals.stop.aborted) throw notOffered(run, short);
  sayDetached(call, run);
  return 0;
}

function sayAway(call: Call): void {
  if (!call.json) call.print(call.paint.yellow("! Postgres is away; it is waited for, up to a minute"));
}

/**
 * With a person there an open question is answered here, and goes on. A run whose worker was told to stop is taken by
 * another.
 */
function isAtRest(call: Call, record: JournalRecord): boolean {
  if (record.type === "run.finished") return true;
  if (record.type !== "run.suspended") return false;
  if (record.status === "waiting" && call.terminal) return false;
  return !(record.status === "interrupted" && record.code === undefined);
}

/** Says what nobody offers, once for each thing; where nobody sits there it is the end of waiting. */
function watchShortage(call: Call, store: TeamRunStore, run: string) {
  const given = new AbortController();
  const said = new Set<string>();
  let looks = 0;
  let short: Shortage | undefined;
  const look = async (): Promise<void> => {
    const [first] = await shortagesNow(store.team, run, store.world.now());
    looks = first ? looks + 1 : 0;
    short = first;
    if (!short || looks < PATIENCE_LOOKS) return;
    const text = shortageText(short);
    if (call.terminal && !said.has(text)) call.print(call.paint.yellow(`! ${text}; it is taken as soon as one does`));
    said.add(text);
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

function notOffered(run: string, short: Shortage): SignalboxError {
  return new SignalboxError(
    "NOT_OFFERED",
    `The run ${run} waits: ${shortageText(short)}.`,
    `It is kept, and taken as soon as a worker offers that: start one with \`${workerCommand(short.missing)}\`. See \`signalbox why ${run}\`; end it with \`signalbox cancel ${run}\`.`,
  );
}

/** Who leaves a run that nobody takes should know. */
export async function sayShortage(call: Call, store: TeamRunStore, run: string): Promise<void> {
  const [short] = await shortagesNow(store.team, run, store.world.now()).catch(() => []);
  if (short && !call.json)
    call.print(
      call.paint.yellow(`! ${shortageText(short)}; it is taken as soon as one does: ${workerCommand(short.missing)}`),
    );
}

/** Said to whoever leaves a run to its workers. */
export function sayDetached(call: Call, run: string): void {
  if (call.json) {
    call.emit({ v: 1, run, detached: true });
    return;
  }
  const { paint } = call;
  call.print(`${paint.green("✓")} ${paint.bold(run)} goes on without you`);
  call.print(`  follow: ${paint.cyan(`signalbox events ${run} --follow`)}`);
  call.print(`  answer: ${paint.cyan("signalbox inbox")}    end it: ${paint.cyan(`signalbox cancel ${run}`)}`);
}

import { join } from "node:path";
import { PREFLIGHT } from "../../core/authoring/preflight.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { AgentView } from "../../views/attempts.ts";
import type { Call } from "../call.ts";
import type { RunStore } from "../runs/run-store.ts";
import { type CommandProgress, formatProgress, listCheckCommands, watchProgress } from "./check-progress.ts";
import { createHeartbeat, formatHeartbeat, type ScheduleCall } from "./heartbeat.ts";

type ProgressInputs = Pick<RunStore, "places" | "world"> & {
  readonly run: string;
  readonly started: JournalRecord<"run.started"> | undefined;
  agents(): readonly AgentView[];
  readonly later?: ScheduleCall;
};

/**
 * Prints which agents are running from time to time if there is no live display, so that silence does not look like a
 * hang.
 */
export function printProgress(
  call: Call,
  watched: ProgressInputs,
): { heard(record: JournalRecord): void; close(): void } {
  const heart = createHeartbeat({
    ...(watched.later ? { later: watched.later } : {}),
    beat: () => {
      const text = call.json ? undefined : formatHeartbeat(watched.agents(), watched.world.now());
      if (text !== undefined) call.print(call.paint.dim(`          ${text}`));
    },
  });
  const progress = watchChecks(call, { ...watched, spoke: heart.spoke });
  return {
    heard(record) {
      heart.spoke();
      progress.heard(record);
    },
    close() {
      progress.close();
      heart.close();
    },
  };
}

/** Reports the running command of a check. Nothing is recorded between the start and the end of a check. */
function watchChecks(call: Call, { places, world, run, spoke, ...known }: ProgressInputs & { spoke(): void }) {
  const watches = new Map<string, { close(): void }>();
  let { started } = known;
  const watch = (type: string, speaks: (progress: CommandProgress) => boolean = () => true) =>
    watchProgress({
      spools: join(places.runs, run, "spool"),
      known: listCheckCommands(world, started ?? {}),
      redact: world.redact,
      say: (progress) => {
        if (!speaks(progress)) return;
        spoke();
        printCheckProgress(call, { run, type, progress });
      },
    });
  return {
    close(): void {
      for (const each of watches.values()) each.close();
    },
    heard(record: JournalRecord): void {
      if (record.type === "run.started") started = record;
      // A check that another engine had started is repeated without a second start record.
      if (record.type === "engine.started")
        watches.set(
          RESUMED_CHECK,
          watch("check.progress", ({ command }) => command !== undefined),
        );
      if (record.type === "step.started" || record.type === "step.finished") watches.get(RESUMED_CHECK)?.close();
      if (record.type === "step.started" && record.verb === "check") {
        watches.set(record.key, watch(record.phase === PREFLIGHT ? "preflight.progress" : "check.progress"));
      }
      if (record.type !== "step.finished") return;
      watches.get(record.key)?.close();
      watches.delete(record.key);
    },
  };
}

/** Not used as the key of any step. */
const RESUMED_CHECK = "";

type CheckProgressEvent = { readonly run: string; readonly type: string; readonly progress: CommandProgress };

/** Prints a progress event. It is not a record and has no sequence number. */
function printCheckProgress(call: Call, { run, type, progress }: CheckProgressEvent): void {
  if (!call.json) {
    call.print(call.paint.dim(`          ${formatProgress(progress)}`));
    return;
  }
  const { command, since, now, words } = progress;
  const who = command ? { command: command.name, line: command.run } : {};
  call.emit({ v: 1, type, run, ts: now, ...who, since, last: words });
}

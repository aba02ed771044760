import type { Effect } from "../../../core/journal/effect.ts";
import type { DriveResult, RunRow } from "../../../core/ports/host.ts";
import { toOneLine } from "../../../surfaces/terminal/clean-text.ts";
import { formatDuration } from "../../../surfaces/terminal/duration.ts";
import type { Call } from "../../call.ts";

/** Prints what a worker takes and finishes, and why it waits. */
export type WorkerLog = {
  say(type: string, text: string, facts?: object): void;
  warn(line: string): void;
  run(run: string, drive: () => Promise<DriveResult>): Promise<DriveResult>;
  attempt<T>(effect: Effect<"attempt">, perform: () => Promise<T>): Promise<T>;
};

type WorkerLogInputs = { readonly call: Call; rowOf(run: string): Promise<RunRow | undefined>; now(): number };

export function createWorkerLog({ call, rowOf, now }: WorkerLogInputs): WorkerLog {
  const say = (type: string, text: string, facts: object = {}): void => {
    if (call.json) call.emit({ v: 1, type, ts: now(), ...facts });
    else call.print(`${call.paint.dim(new Date(now()).toISOString().slice(11, 19))}  ${text}`);
  };
  return {
    say,
    warn: (line) =>
      say("worker.warned", call.paint.yellow(`! ${toOneLine(line, 400)}`), { message: toOneLine(line, 400) }),
    async run(run, drive) {
      const pipeline = (await rowOf(run))?.pipeline ?? "?";
      const begun = now();
      say("run.taken", `took ${call.paint.bold(run)} (${pipeline})`, { run, pipeline });
      const logResult = (result: DriveResult, reason: string | null): void => {
        const why = reason === null || reason === "" ? "" : `: ${toOneLine(reason, 160)}`;
        const text = `released ${call.paint.bold(run)}: ${result.status} after ${formatDuration(now() - begun)}${why}`;
        say("run.left", text, { run, ...result, reason });
      };
      const result = await drive().catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        say("run.left", `released ${call.paint.bold(run)}: ${toOneLine(why, 300)}`, { run, status: null, reason: why });
        throw error;
      });
      logResult(result, (await rowOf(run).catch(() => undefined))?.reason ?? null);
      return result;
    },
    async attempt(effect, perform) {
      const { role, task } = effect.request;
      const who = toOneLine([role, task].filter(Boolean).join(" "), 60);
      const begun = now();
      const facts = { run: effect.run, effect: effect.id, role };
      say("attempt.taken", `  ${who} of ${effect.run} started`, facts);
      try {
        return await perform();
      } finally {
        say("attempt.left", `  ${who} of ${effect.run} ended after ${formatDuration(now() - begun)}`, facts);
      }
    },
  };
}

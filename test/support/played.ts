import type { AttemptRequest, Effect } from "../../src/core/journal/effect.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { DriveResult } from "../../src/core/ports/host.ts";
import type { Stage } from "./stage.ts";

/** A run on paper with all its effects and records. */
export type PlayedRun = {
  readonly status: string;
  readonly exit: number;
  readonly reason: string;
  readonly records: readonly JournalRecord[];
  /** Every dispatch in order of its start. */
  readonly sent: readonly AttemptRequest[];
  readonly effects: readonly Effect[];
  readonly stage: Stage;
};

export type Said = string | { readonly choice: string; readonly note: string };

export type People = {
  /** A person's answer to each question, in order; later questions stay open. Any answer continues a pause. */
  readonly answers?: readonly Said[];
  /** Returns a person's answer to a question; called before `answers` is used. */
  readonly answer?: (asked: JournalRecord<"approval.requested">) => Said | undefined;
  /** Called while the run is suspended. */
  readonly parked?: () => void;
};

/** Drives the run to its end, or to a question without an answer. */
export async function toEnd(s: Stage, { answers = [], answer, parked }: People): Promise<DriveResult> {
  const left = [...answers];
  for (;;) {
    const end = await s.drive();
    if (end.status !== "waiting" && end.status !== "paused") return end;
    const asked = findOpenQuestion(await s.records());
    const said = asked && (answer?.(asked) ?? left.shift());
    if (!asked || said === undefined) return end;
    parked?.();
    if (asked.pause) await s.post({ kind: "resume", by: "Ada" });
    else await s.post({ ...answerTo(asked, said), by: "Ada" });
  }
}

function findOpenQuestion(records: readonly JournalRecord[]): JournalRecord<"approval.requested"> | undefined {
  const decided = new Set(records.flatMap((each) => (each.type === "approval.decided" ? [each.approval] : [])));
  return records.filter((each) => each.type === "approval.requested").find((each) => !decided.has(each.approval));
}

function answerTo({ approval, hash }: JournalRecord<"approval.requested">, said: Said) {
  const choice = typeof said === "string" ? { choice: said } : said;
  return { kind: "answer", approval, hash, ...choice } as const;
}

export async function lookAt(
  s: Stage,
  effects: readonly Effect[],
  { status, exit }: { readonly status: string; readonly exit: number },
): Promise<PlayedRun> {
  const records = await s.records();
  return {
    status,
    exit,
    reason: finishedOf(records)?.reason ?? "",
    records,
    sent: effects.flatMap((effect) => (effect.kind === "attempt" ? [effect.request] : [])),
    effects,
    stage: s,
  };
}

export const finishedOf = (records: readonly JournalRecord[]): JournalRecord<"run.finished"> | undefined =>
  records.findLast((record) => record.type === "run.finished");
/** Returns the last content written to each path. */
export const writtenBy = (effects: readonly Effect[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    effects.flatMap((effect) => (effect.kind === "write" ? [[effect.request.path, effect.request.text]] : [])),
  );

export const roles = ({ sent }: PlayedRun): string[] => sent.map(({ role }) => role);
export const sentTo = ({ sent }: PlayedRun, role: string): AttemptRequest[] =>
  sent.filter((request) => request.role === role);
export const inputsOf = (played: PlayedRun, role: string): Record<string, unknown>[] =>
  // Inputs of the built-in pipelines' roles are objects.
  sentTo(played, role).map((request) => request.input as Record<string, unknown>);
export const phasesOf = ({ records }: PlayedRun): string[] => {
  const all = records.flatMap((record) => (record.type === "step.started" ? [record.phase] : []));
  return all.filter((phase, at) => phase !== all[at - 1]);
};
export const questions = ({ records }: PlayedRun): JournalRecord<"approval.requested">[] =>
  records.filter((record) => record.type === "approval.requested");
export const commits = ({ effects }: PlayedRun) =>
  effects.flatMap((effect) => (effect.kind === "commit" ? [effect.request] : []));
/** Returns each rule of a gate with its result, in order. */
export const judged = ({ records }: PlayedRun, gate: string): [string, boolean][] =>
  records.flatMap((record): [string, boolean][] =>
    record.type === "gate.evaluated" && record.gate === gate ? [[record.rule, record.passed]] : [],
  );

/** Drops the engine's checks of the base tree, so the pipeline's own effects remain. */
export const afterPreflight = ({ effects, stage }: Pick<PlayedRun, "effects" | "stage">): readonly Effect[] =>
  effects.filter(({ id }) => !id.startsWith(`${stage.run}/Preflight/`));

/** Returns the declared behavior changes in order, as the verb records them. */
export const announced = ({ records }: Pick<PlayedRun, "records">): readonly unknown[] =>
  records.flatMap((record) =>
    record.type === "step.finished" && /(^|\/)announce(#\d+)?$/.test(record.key)
      ? [(record.value as { announced: unknown }).announced]
      : [],
  );

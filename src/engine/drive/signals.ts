import { isMissingNote } from "../../core/authoring/missing-note.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import type { DroppedSignal, Host, Lease, PostedSignal, Signal } from "../../core/ports/host.ts";
import type { Conclusion } from "../run.ts";
import type { IdleDetector } from "./idle-detector.ts";
import type { Recorder } from "./recorder.ts";

type AnswerSignal = Extract<Signal, { kind: "answer" }>;
type ResumeSignal = Extract<Signal, { kind: "resume" }>;
type StopSignal = Extract<Signal, { kind: "stop" }>;

export type AwaitedQuestion = {
  readonly approval: string;
  readonly hash: string;
  readonly choices: readonly string[];
  readonly words?: readonly string[] | undefined;
};

/** A wait that only an outside event can end. */
export type RunWait =
  | { readonly kind: "approval"; readonly id: string; readonly title: string }
  | { readonly kind: "pause"; readonly id: string; readonly title: string }
  | { readonly kind: "budget" | "time"; readonly id: string; readonly title: string }
  /** Carries the exit code of what must be fixed first, if it is known. */
  | { readonly kind: "interrupted"; readonly id: string; readonly title: string; readonly exit?: number };

export type ReceivedAnswer = {
  readonly answer: AnswerSignal;
  /** The role of the sender, as the store knows it. */
  readonly role?: string;
  settled(): void;
};

export type SignalInbox = {
  /** Reads the signals that have arrived. Call it once before the body starts. */
  poll(): Promise<void>;
  /** Returns the first valid answer, also one that arrived before the question. `settled` marks it as read. */
  answerTo(question: AwaitedQuestion, title: string): Promise<ReceivedAnswer>;
  /** Resolves at the next `resume`. */
  resumed(wait: RunWait): Promise<ResumeSignal>;
  /**
   * Waits until processed signals are marked as read. Under a claim that is released earlier they would be processed
   * again.
   */
  settled(): Promise<void>;
  readonly waiting: ReadonlyMap<string, RunWait>;
  /** The `resume` signals that this engine has recorded. */
  readonly resumes: readonly JournalRecord<"run.resumed">[];
};

/** @rule A-08 (policy) An answer is valid only for the content that was shown; changed content is asked about again. */
export function createSignalInbox(parts: {
  readonly host: Host;
  readonly lease: Lease;
  readonly idle: IdleDetector;
  readonly recorder: Recorder;
  readonly onResume: (letter: ResumeSignal) => void;
  /** Calls `settled` when the result of the attempt is recorded. Returns false if the attempt is over already. */
  readonly onStop: (letter: StopSignal, settled: () => void) => boolean;
  readonly isOver: () => boolean;
  readonly conclude: (conclusion: Conclusion) => void;
  readonly onFailure: (error: unknown) => void;
}): SignalInbox {
  const { host, lease, idle, recorder } = parts;
  const taken = new Set<number>();
  const waiting = new Map<string, RunWait>();
  const questions = new Map<
    string,
    { question: AwaitedQuestion; resolve: (posted: PostedSignal & { letter: AnswerSignal }) => void }
  >();
  const waitingForResume = new Map<string, (letter: ResumeSignal) => void>();
  const recordedResumes: JournalRecord<"run.resumed">[] = [];
  let unanswered: (PostedSignal & { letter: AnswerSignal })[] = [];

  const marking = new Set<Promise<void>>();
  const markRead = (id: number): void => {
    const marked = recorder
      .durable()
      .then(() => host.inbox.read(lease, [id]))
      .catch(parts.onFailure)
      .finally(() => marking.delete(marked));
    marking.add(marked);
  };

  const resume = (posted: PostedSignal, letter: ResumeSignal): void => {
    const record = recorder.record({
      type: "run.resumed",
      by: letter.by,
      ...toRoleField(posted),
      ...(letter.note === undefined ? {} : { note: letter.note }),
      ...(letter.limits === undefined ? {} : { limits: letter.limits }),
      ...(letter.config === undefined ? {} : { config: letter.config }),
    });
    recordedResumes.push(record);
    markRead(posted.id);
    parts.onResume(letter);
    for (const [id, resolve] of waitingForResume) {
      waitingForResume.delete(id);
      waiting.delete(id);
      resolve(letter);
    }
  };

  const isAcceptable = (question: AwaitedQuestion, letter: AnswerSignal): boolean =>
    letter.hash === question.hash && question.choices.includes(letter.choice) && !isMissingNote(question, letter);

  const match = (): void => {
    unanswered = unanswered.filter((posted) => {
      const open = questions.get(posted.letter.approval);
      if (!open) return true;
      if (!isAcceptable(open.question, posted.letter)) {
        markRead(posted.id);
        return false;
      }
      questions.delete(posted.letter.approval);
      waiting.delete(posted.letter.approval);
      open.resolve(posted);
      return false;
    });
  };

  const concludeBy = (
    posted: PostedSignal,
    { kind, by, note }: Extract<Signal, { kind: "cancel" | "pause" }>,
  ): void => {
    const said = note === undefined ? {} : { note };
    // Stays unread until the end of the run is stored: an engine that dies in between must find it again.
    parts.conclude({
      kind: kind === "cancel" ? "canceled" : "paused",
      by,
      ...toRoleField(posted),
      ...said,
      letter: posted.id,
    });
  };

  const drop = (posted: PostedSignal, { of, by, why }: DroppedSignal): void => {
    recorder.record({ type: "letter.dropped", of, by, ...toRoleField(posted), why });
    markRead(posted.id);
  };

  const take = (posted: PostedSignal): void => {
    const { letter: signal } = posted;
    if (signal.kind === "answer") unanswered.push({ ...posted, letter: signal });
    if (signal.kind === "dropped") drop(posted, signal);
    if (signal.kind === "resume") resume(posted, signal);
    if (signal.kind === "stop" && !parts.onStop(signal, () => markRead(posted.id))) markRead(posted.id);
    if (signal.kind === "cancel" || signal.kind === "pause") concludeBy(posted, signal);
  };

  return {
    waiting,
    resumes: recordedResumes,
    async poll() {
      const unread = await host.inbox.unread(lease.run);
      for (const [at, posted] of unread.entries()) {
        // A run that is over accepts no more signals: they wait for the next engine.
        if (taken.has(posted.id) || parts.isOver()) continue;
        taken.add(posted.id);
        if (isPauseCanceled(posted, unread.slice(at + 1))) markRead(posted.id);
        else take(posted);
      }
      if (!parts.isOver()) match();
    },
    async settled() {
      await Promise.all(marking);
    },
    async answerTo(question, title) {
      waiting.set(question.approval, { kind: "approval", id: question.approval, title });
      const arrived = new Promise<PostedSignal & { letter: AnswerSignal }>((resolve) => {
        questions.set(question.approval, { question, resolve });
      });
      match();
      const posted = await idle.rest(arrived);
      return { answer: posted.letter, ...toRoleField(posted), settled: () => markRead(posted.id) };
    },
    async resumed(wait) {
      waiting.set(wait.id, wait);
      return idle.rest(new Promise<ResumeSignal>((resolve) => waitingForResume.set(wait.id, resolve)));
    },
  };
}

const toRoleField = ({ role }: PostedSignal) => (role === undefined ? {} : { role });

/** A later `resume` cancels a pending pause. */
function isPauseCanceled({ letter }: PostedSignal, later: readonly PostedSignal[]): boolean {
  return letter.kind === "pause" && later.some((posted) => posted.letter.kind === "resume");
}

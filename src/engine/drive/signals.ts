import type { Claim, Host, Letter, Posted } from "../core/ports/host.ts";
import type { JournalRecord } from "../core/record.ts";
import type { Pulse } from "./pulse.ts";
import type { Recorder } from "./recorder.ts";
import type { Conclusion } from "./run.ts";

type Answer = Extract<Letter, { kind: "answer" }>;
type Resume = Extract<Letter, { kind: "resume" }>;

export type Question = { readonly approval: string; readonly hash: string; readonly choices: readonly string[] };

/** What only the outside world can end. */
export type Wait =
  | { readonly kind: "approval"; readonly id: string; readonly title: string }
  | { readonly kind: "pause"; readonly id: string; readonly title: string }
  | { readonly kind: "budget" | "time"; readonly id: string; readonly title: string }
  /** With the exit code of what must be cured first, where that is known. */
  | { readonly kind: "interrupted"; readonly id: string; readonly title: string; readonly exit?: number };

export type Letters = {
  /** Reads what has arrived; call once before the body starts. */
  poll(): Promise<void>;
  /** The first valid answer, also one that came before the question. Marked read when `settled` is called. */
  answerTo(question: Question, title: string): Promise<{ readonly answer: Answer; settled(): void }>;
  /** Resolves when a person says `resume` after this moment. */
  resumed(wait: Wait): Promise<Resume>;
  readonly waiting: ReadonlyMap<string, Wait>;
  /** The `resume`s that this engine has recorded. */
  readonly resumes: readonly JournalRecord<"run.resumed">[];
};

export function createLetters(parts: {
  readonly host: Host;
  readonly claim: Claim;
  readonly pulse: Pulse;
  readonly recorder: Recorder;
  readonly onResume: (letter: Resume) => void;
  readonly isOver: () => boolean;
  readonly conclude: (conclusion: Conclusion) => void;
  readonly onFailure: (error: unknown) => void;
}): Letters {
  const { host, claim, pulse, recorder } = parts;
  const taken = new Set<number>();
  const waiting = new Map<string, Wait>();
  const questions = new Map<string, { question: Question; resolve: (posted: Posted & { letter: Answer }) => void }>();
  const waitingForResume = new Map<string, (letter: Resume) => void>();
  const recordedResumes: JournalRecord<"run.resumed">[] = [];
  let unanswered: (Posted & { letter: Answer })[] = [];

  const markRead = (id: number): void => {
    recorder
      .durable()
      .then(() => host.inbox.read(claim, [id]))
      .catch(parts.onFailure);
  };

  const resume = (posted: Posted, letter: Resume): void => {
    const record = recorder.record({
      type: "run.resumed",
      by: letter.by,
      ...(letter.note === undefined ? {} : { note: letter.note }),
      ...(letter.limits === undefined ? {} : { limits: letter.limits }),
    });
    // `record` gives back what it was given, stamped.
    recordedResumes.push(record as JournalRecord<"run.resumed">);
    markRead(posted.id);
    parts.onResume(letter);
    for (const [id, resolve] of waitingForResume) {
      waitingForResume.delete(id);
      waiting.delete(id);
      resolve(letter);
    }
  };

  const fits = (question: Question, letter: Answer): boolean =>
    letter.hash === question.hash && question.choices.includes(letter.choice);

  const match = (): void => {
    unanswered = unanswered.filter((posted) => {
      const open = questions.get(posted.letter.approval);
      if (!open) return true;
      if (!fits(open.question, posted.letter)) {
        markRead(posted.id);
        return false;
      }
      questions.delete(posted.letter.approval);
      waiting.delete(posted.letter.approval);
      open.resolve(posted);
      return false;
    });
  };

  const take = (posted: Posted): void => {
    const { letter } = posted;
    if (letter.kind === "answer") unanswered.push({ ...posted, letter });
    if (letter.kind === "resume") resume(posted, letter);
    if (letter.kind === "cancel") {
      const note = letter.note === undefined ? {} : { note: letter.note };
      // Unread until the run's end is stored: an engine that dies on the way must find it again.
      parts.conclude({ kind: "canceled", by: letter.by, ...note, letter: posted.id });
    }
  };

  return {
    waiting,
    resumes: recordedResumes,
    async poll() {
      for (const posted of await host.inbox.unread(claim.run)) {
        // A run that is over takes no more letters: they wait for whoever drives it next.
        if (taken.has(posted.id) || parts.isOver()) continue;
        taken.add(posted.id);
        take(posted);
      }
      if (!parts.isOver()) match();
    },
    async answerTo(question, title) {
      waiting.set(question.approval, { kind: "approval", id: question.approval, title });
      const arrived = new Promise<Posted & { letter: Answer }>((resolve) => {
        questions.set(question.approval, { question, resolve });
      });
      match();
      const posted = await pulse.rest(arrived);
      return { answer: posted.letter, settled: () => markRead(posted.id) };
    },
    async resumed(wait) {
      waiting.set(wait.id, wait);
      return pulse.rest(new Promise<Resume>((resolve) => waitingForResume.set(wait.id, resolve)));
    },
  };
}

import type { Brief } from "../../core/authoring/brief.ts";
import type { Decision } from "../../core/authoring/decision.ts";
import type { Answered, Question, Verbs } from "../../core/authoring/verbs.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { canonical, toJson } from "../../core/text/json.ts";
import { runStep, type StepPlace } from "../replay/step.ts";
import { createNever, type Run, StepFailed } from "../run.ts";
import { storeNote } from "./facts/answer-notes.ts";
import { addRefusals, storeRefusal } from "./facts/refusals.ts";
import { storeDecision } from "./gate.ts";
import { describeAnnounced } from "./interlock/announced-tests.ts";

/** ask() and pause(): a person decides, through a row that any surface can answer. */
export function createQuestionVerbs(run: Run): Pick<Verbs<unknown>, "ask" | "pause"> {
  return {
    async ask({ tree, ...given }) {
      // Recorded as `about`, the first name of this option, so that both names give the same input.
      const question = tree === undefined ? given : { ...given, about: tree };
      // How the question is shown and answered is not part of the input: a run that waits for an answer continues after
      // such a change.
      const { words: _words, revises: _revises, leads: _leads, paths: _paths, brief: _brief, ...plain } = question;
      const { announces: _announces, ...asked } = plain;
      const outcome = await runStep<Answered<string>>(run, {
        verb: "ask",
        name: question.title,
        input: asked,
        work: async (place) => ({ value: await askWithRefusals(run, place, question) }),
        keep: (answer, place) => {
          storeDecision(run, answer.decision, place);
          storeRefusal(run, { question, answer }, place);
        },
      });
      if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
      // The choice was checked against the question's own list.
      return outcome.value as never;
    },
    async pause(reason, show) {
      const outcome = await runStep<{ by: string; note?: string }>(run, {
        verb: "pause",
        name: reason,
        input: { show },
        work: async (place) => ({ value: await waitForResume(run, place, { reason, show }) }),
      });
      if (!outcome.ok) throw new StepFailed(outcome.key, outcome.failure);
      return outcome.value;
    },
  };
}

/** Creates an id that is short enough to type, unique, and the same on every replay. */
export function createApprovalId(run: Run, key: string): string {
  return `a-${run.world.hash(`${run.id}/${key}`).slice(0, 8)}`;
}

/** Adds earlier refusals to the question. A question that was recorded already keeps its text. */
async function askWithRefusals(run: Run, place: StepPlace, question: Question<string>): Promise<Answered<string>> {
  const said = place.past?.requested ?? (await addExcuses(run, question, addRefusals(run, question)));
  const { title, show } = said;
  const answer = await askPerson(run, place, { ...question, ...toBriefField(said), title, show });
  return { ...answer, decision: toDecision(place.key, question, answer.choice) };
}

type QuestionText = Pick<Question<string>, "title" | "show" | "brief">;

/** Adds what an approval would excuse to what it approves. */
async function addExcuses(run: Run, { announces = [] }: Question<string>, said: QuestionText): Promise<QuestionText> {
  const excuses = await describeAnnounced(run, announces);
  if (excuses.length === 0) return said;
  const { title, show, brief } = said;
  const shown = isPlainRecord(show) ? { ...show, excuses } : { about: show, excuses };
  return { title, show: shown, brief: [...(brief ?? []), { title: "Approving it excuses", lines: [...excuses] }] };
}

const isPlainRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const toBriefField = ({ brief }: { readonly brief?: Brief | undefined }) => (brief ? { brief } : {});

/**
 * Asks a person; also used by steps that need an answer in the middle of their work. A question that was recorded
 * earlier keeps its text and choices.
 */
export async function askPerson(run: Run, place: StepPlace, given: Question<string>): Promise<Answered<string>> {
  const approval = createApprovalId(run, place.key);
  const question = place.past?.requested ? { ...given, ...toQuestionText(place.past.requested) } : given;
  const { title, choices, auto, words } = question;
  const show = toJson(question.show) ?? null;
  const hash = place.past?.requested?.hash ?? run.world.hash(canonical({ title, show, choices }));
  if (!place.past?.requested) {
    run.recorder.record({
      type: "approval.requested",
      key: place.key,
      approval,
      title,
      show,
      choices: [...choices],
      auto,
      ...toDisplayOptions(question),
      hash,
    });
  }
  // Answered before a crash: reuses the recorded answer.
  const decided = place.past?.decided;
  if (decided) return toAnswer(place.key, question, decided);
  const reply = await awaitReply(run, { approval, title, choices, auto, words, hash });
  if (run.over) return createNever();
  const note = reply.note === undefined ? {} : { note: reply.note };
  const recorded = run.recorder.record({
    type: "approval.decided",
    key: place.key,
    approval,
    choice: reply.choice,
    ...note,
    by: reply.by,
    ...(reply.role === undefined ? {} : { role: reply.role }),
    hash,
  });
  storeNote(run, recorded, title);
  reply.settled();
  return toAnswer(place.key, question, reply);
}

const toQuestionText = ({ title, show, choices }: JournalRecord<"approval.requested">) => ({ title, show, choices });

/** Returns how a surface shows the question and lets people answer it. */
function toDisplayOptions({ words, revises, leads, brief, paths, choices, about }: Question<string>) {
  const said = Object.entries(leads ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    ...(said.length > 0 ? { leads: Object.fromEntries(said) } : {}),
    ...(brief ? { brief: brief.map(({ title, lines }) => ({ title, lines: [...lines] })) } : {}),
    ...(words ? { words: [...words] } : {}),
    ...(revises !== undefined && choices.includes(revises) ? { revises } : {}),
    ...(paths ? { paths: [...paths] } : {}),
    ...(about ? { tree: about.tree } : {}),
  };
}

type QuestionReply = { readonly choice: string; readonly by: string; readonly note?: string | undefined };

function toAnswer(key: string, question: Question<string>, { choice, by, note }: QuestionReply): Answered<string> {
  return { choice, ...(note === undefined ? {} : { note }), by, decision: toDecision(key, question, choice) };
}

type ApprovalQuestion = {
  readonly approval: string;
  readonly title: string;
  readonly choices: readonly string[];
  readonly auto: string;
  readonly words?: readonly string[] | undefined;
  readonly hash: string;
};

/**
 * @rule A-09 (policy) Silence approves nothing, an automatic answer is marked as one, and some questions wait for a
 *   person in every mode.
 */
export async function awaitReply(
  run: Run,
  asked: ApprovalQuestion,
): Promise<{ choice: string; note?: string; by: string; role?: string; settled(): void }> {
  if (run.started.approvals === "autonomous" && asked.auto !== "never") {
    return { choice: asked.auto, by: "automatic", settled: () => {} };
  }
  const { answer, role, settled } = await run.signals.answerTo(asked, asked.title);
  const known = {
    ...(answer.note === undefined ? {} : { note: answer.note }),
    ...(role === undefined ? {} : { role }),
  };
  return { choice: answer.choice, by: answer.by, settled, ...known };
}

function toDecision(key: string, question: Question<string>, choice: string): Decision {
  const passed = question.accepts !== undefined && choice === question.accepts;
  return {
    id: key,
    gate: `ask: ${question.title}`,
    passed,
    blocked: false,
    findings: [],
    ...(question.about ? { tree: question.about.tree } : {}),
  };
}

async function waitForResume(
  run: Run,
  place: StepPlace,
  at: { reason: string; show: unknown },
): Promise<{ by: string; note?: string }> {
  const approval = createApprovalId(run, place.key);
  const show = toJson(at.show) ?? null;
  const hash = run.world.hash(canonical({ title: at.reason, show }));
  const requested = place.past?.requested;
  if (!requested) {
    run.recorder.record({
      type: "approval.requested",
      key: place.key,
      approval,
      title: at.reason,
      show,
      choices: ["resume"],
      auto: "never",
      hash,
      pause: true,
    });
  }
  // A `resume` after the pause was recorded is its answer, also if this engine never saw the signal.
  const already = [...run.history.resumed, ...run.signals.resumes].find(
    (record) => requested && record.seq > requested.seq,
  );
  const resumed = already ?? (await run.signals.resumed({ kind: "pause", id: approval, title: at.reason }));
  if (run.over) return createNever();
  const note = resumed.note === undefined ? {} : { note: resumed.note };
  const recorded = run.recorder.record({
    type: "approval.decided",
    key: place.key,
    approval,
    choice: "resume",
    ...note,
    by: resumed.by,
    hash,
  });
  storeNote(run, recorded, at.reason);
  return { by: resumed.by, ...note };
}

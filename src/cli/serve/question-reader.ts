import { SignalboxError } from "../../core/failure/errors.ts";
import type { AnswerResult, QuestionDetails, RecordedAnswer } from "../../surfaces/server/port/documents.ts";
import type { CheckRow, QuestionRow, RunPage } from "../../views/page/page.ts";
import type { QuestionView } from "../../views/questions.ts";
import type { RunView } from "../../views/run-view.ts";
import { createRunEndedError } from "../runs/ended-run.ts";
import { findPostedAnswer } from "../runs/questions/approvals.ts";
import { readQuestionFiles } from "../runs/questions/question-text.ts";
import { answerQuestion, type GivenAnswer, isSameAnswer } from "./answer.ts";
import type { FollowedRuns, LocatedRun } from "./followed-runs.ts";
import type { RunFinder } from "./run-finder.ts";
import type { Stores } from "./stores.ts";

type QuestionReaderInputs = { readonly stores: Stores; readonly followed: FollowedRuns; readonly find: RunFinder };
type FoundQuestion = { readonly here: LocatedRun; readonly view: RunView; readonly seen: QuestionView };

/** Finds questions of any repository by id. */
export function createQuestionReader({ stores, followed, find }: QuestionReaderInputs) {
  const known = new Map<string, string>();
  const findInRun = async (here: LocatedRun, id: string): Promise<FoundQuestion | undefined> => {
    const view = await followed.view(here);
    const seen = view.questions.find(({ asked }) => asked.approval === id);
    return seen && { here, view, seen };
  };
  const findQuestion = async (id: string): Promise<FoundQuestion> => {
    const run = known.get(id);
    const again = run === undefined ? undefined : await findInRun(await find(run), id);
    if (again) return again;
    for await (const here of listEveryRun(stores)) {
      const question = await findInRun(here, id);
      if (!question) continue;
      known.set(id, here.row.id);
      return question;
    }
    throw new SignalboxError(
      "APPROVAL_UNKNOWN",
      `No question has the id "${id}".`,
      "Open questions are listed on the first page.",
    );
  };
  return {
    async question(id: string): Promise<QuestionDetails> {
      const { here } = await findQuestion(id);
      // Read before the journal: an answer that the engine consumes in between is then in the journal.
      const messages = await here.store.host.inbox.unread(here.row.id);
      const { view, seen } = await findQuestion(id);
      const page = await followed.page(here);
      const files = await readQuestionFiles({ store: here.store, asked: seen.asked, view });
      const tree = seen.asked.tree ?? view.newestTree?.tree;
      const posted = findPostedAnswer(seen.asked, messages) ?? null;
      return { ...toQuestion(page, id), files, evidence: listTreeChecks(page, tree), ...describeAnswer(seen, posted) };
    },
    async answer(id: string, given: GivenAnswer): Promise<AnswerResult> {
      const { here, view, seen } = await findQuestion(id);
      const { asked, answer } = seen;
      if (answer) {
        const answered = toAnswered(answer);
        return { answered, mine: isSameAnswer(here.store, answered, given.choice) };
      }
      if (view.end?.type === "run.finished") throw createRunEndedError(view.end, here.store.world.now());
      return answerQuestion(here.store, { row: here.row, approval: asked }, given);
    },
  };
}

/** Lists the newest runs of each repository first, because questions are seldom old. */
async function* listEveryRun(stores: Stores): AsyncGenerator<LocatedRun> {
  for (const { top } of await stores.all()) {
    const store = await stores.open(top).catch(() => undefined);
    for (const row of (await store?.host.runs.list()) ?? []) if (store) yield { store, row };
  }
}

function toQuestion({ rows, head }: RunPage, id: string) {
  const row = rows.find((each): each is QuestionRow => each.kind === "question" && each.approval === id);
  if (!row) throw new Error(`the question ${id} has no row`);
  const { title, show, brief, choices, hash, askedAt } = row;
  const { limitUsd: _, ...cost } = head.cost;
  return { id, run: head.run, title, show, brief, choices, hash, askedAt, cost };
}

/** Returns the checks of the tree that the question is about. */
function listTreeChecks({ rows }: RunPage, tree: string | undefined): readonly CheckRow[] {
  return rows.filter((row): row is CheckRow => row.kind === "check" && row.tree === tree);
}

function describeAnswer({ answer }: QuestionView, posted: QuestionDetails["answered"]) {
  return { answered: answer ? toAnswered(answer) : posted };
}

function toAnswered({ choice, by, ts, note }: NonNullable<QuestionView["answer"]>): RecordedAnswer {
  return { choice, by, at: ts, ...(note === undefined ? {} : { note }) };
}

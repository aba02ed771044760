import type { EarlierAnswer, RunRow } from "../../core/ports/host.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import type { OpenApproval } from "../../views/questions.ts";
import { describeStatus, type StatusReport } from "../../views/run-status-text.ts";
import { collectStatusExplanation, type StatusExplanation } from "../../views/status-explanation.ts";
import { getRunWork, type RunWork } from "../../views/unaccepted-work.ts";
import type { Call } from "../call.ts";
import { formatWhy } from "../inspect/why-lines.ts";
import { collectPresence } from "../runs/presence.ts";
import { findPostedAnswer, toQuestionDocument } from "../runs/questions/approvals.ts";
import type { RunStore } from "../runs/run-store.ts";
import { type ViewedRun, withView } from "../runs/with-run.ts";

/** Explanation of a run's state, collected from everything that was recorded. */
export type RunExplanation = StatusExplanation & {
  readonly run: string;
  readonly pipeline: string;
  readonly exit: number | null;
  readonly standing: StatusReport;
  /** Unanswered questions with their details. */
  readonly open: readonly Pick<OpenApproval, QuestionField>[];
  /** Questions whose answer no engine has read yet. */
  readonly answered: readonly (Pick<OpenApproval, "approval" | "title"> & EarlierAnswer)[];
  readonly next: readonly string[];
  readonly work: RunWork;
};

type QuestionField = "approval" | "title" | "show" | "brief" | "choices" | "words" | "revises" | "paths" | "tree";

export async function explainRun(call: Call, asked: string | undefined): Promise<number> {
  return withView(call, asked, async (found) => {
    const { store, row } = found;
    const facts = await collectFacts(found);
    const explanation = redactDeep<RunExplanation>({ ...facts, next: suggestNext(facts) }, store.world.redact);
    if (call.json) call.emit({ v: 1, ...explanation });
    else {
      // Rule ids are enough for programs; only people get the rules' texts, which need the code.
      const { loadNamedRules } = await import("../inspect/known-rules.ts");
      const rules = await loadNamedRules(
        call,
        { store, row },
        explanation.decision?.rules.map(({ rule }) => rule) ?? [],
      );
      for (const line of formatWhy(call.paint, { why: explanation, rules, now: store.world.now() })) call.print(line);
    }
    return 0;
  });
}

async function collectFacts({ store, row, view }: ViewedRun): Promise<Omit<RunExplanation, "next">> {
  return {
    run: row.id,
    pipeline: row.pipeline,
    exit: row.exit,
    standing: describeStatus(view, await collectPresence(store, row, view)),
    ...collectStatusExplanation(view),
    work: getRunWork(view),
    ...(await splitQuestions(store, row, view.open)),
  };
}

/** Splits questions as `inbox` does: a posted answer counts even if no engine has read it. */
async function splitQuestions({ host }: RunStore, row: RunRow, asked: readonly OpenApproval[]) {
  const letters = await host.inbox.unread(row.id);
  const all = asked.map((question) => ({ question, earlier: findPostedAnswer(question, letters) }));
  return {
    open: all.flatMap(({ question, earlier }) => (earlier ? [] : [toQuestionDocument(question)])),
    answered: all.flatMap(({ question: { approval, title }, earlier }) =>
      earlier ? [{ approval, title, ...earlier }] : [],
    ),
  };
}

/** Commands that move the run come first, then those that show details. */
function suggestNext({
  run,
  standing,
  decision,
  failures,
  contradicted,
}: Omit<RunExplanation, "next">): readonly string[] {
  const missed = decision?.passed === false ? decision.rules.find((rule) => !rule.passed) : undefined;
  const failed = failures.at(-1);
  const looks = [
    missed ? `signalbox gate ${quoteWord(missed.rule)} --run ${run}` : "",
    failed ? `signalbox logs ${run} --step ${quoteWord(failed.key)}` : "",
    contradicted.length > 0 ? `signalbox evidence ${run}` : "",
  ];
  // `why` is already running. If no other command helps, suggest the journal.
  const moves = standing.next.filter((line) => line !== `signalbox why ${run}`);
  const all = [...new Set([...moves, ...looks.filter(Boolean)])];
  return all.length === 0 && standing.status === "error" ? [`signalbox events ${run}`] : all;
}

function quoteWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

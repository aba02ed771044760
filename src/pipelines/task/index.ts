import type { Decision } from "../../core/authoring/decision.ts";
import type { End } from "../../core/authoring/end.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import { once } from "../../core/authoring/retry.ts";
import type { Tree } from "../../core/authoring/tree.ts";
import type { Evidence, Verbs } from "../../core/authoring/verbs.ts";
import { formatEvidence } from "../evidence-line.ts";
import { pickNonEmpty } from "../non-empty.ts";
import { declareWork } from "../work-kind.ts";
import { formatTaskCommit } from "./commit-message.ts";
import {
  type AnsweredQuestion,
  type DeliveredAnswer,
  type HaltedAnswer,
  pickDescription,
  runDeveloper,
} from "./develop.ts";
import { Input, type TaskInput } from "./input.ts";
import { developer, type Review, reviewer } from "./roles.ts";
import { APPROVED, CHANGED, GREEN } from "./rules.ts";

/**
 * @rule K-04 (declaration) The work is sent back at most twice, by checks, a reviewer or a person; then the run ends
 *   without a commit and names the work.
 */
const ROUNDS = 3;

export const task = definePipeline(
  {
    name: "task",
    does: "One agent implements your request, your checks decide, and the result is committed; optionally with a reviewer",
    version: 4,
    input: Input,
    dialect: "json",
    retry: once(),
    loops: { rounds: ROUNDS },
    looksAt: () => [],
    phases: [
      { title: "Work", roles: [developer], next: ["Review", "Commit"] },
      { title: "Review", roles: [reviewer], next: ["Work", "Commit"] },
      { title: "Commit", next: ["Work"] },
    ],
  },
  async (verbs) => {
    const { input, phase, skip, announce, see, loop, commit } = verbs;
    if (!input.review) skip("Review", "not requested; use --input review=true");
    phase("Work");
    await announce(input.announces);
    const base = await see("head");
    let tree: Tree = base;
    let delivered: DeliveredAnswer | undefined;
    let [left, sent]: [number, readonly Finding[]] = [ROUNDS, []];
    const answers: AnsweredQuestion[] = [];
    const reviews: Review[] = [];

    for (;;) {
      const result = await loop({ max: left }, async ({ findings }) => {
        phase("Work");
        const open = findings.length > 0 ? findings : sent;
        const work = await runDeveloper(verbs, { tree, findings: open, delivered, answers });
        if (work.status === "blocked") return verbs.end(createBlockedEnd(work));
        delivered = work;
        tree = work.after;
        const { evidence, changed, decision } = await checkWork(verbs, base, work);
        if (!decision.passed || !input.review) return { work, evidence, changed, decision, because: [decision] };

        phase("Review");
        const approval = await askReviewer(verbs, { base, work, evidence, answers, reviews });
        return { work, evidence, changed, decision: approval, because: [decision, approval] };
      });
      left -= result.rounds;
      const rounds = ROUNDS - left;
      if (result.ended !== "passed") return createUnfinishedEnd({ ...result, rounds }, tree);

      phase("Commit");
      const { work, because, evidence, changed } = result;
      const declared = declareWork(input, { parts: [work], changed });
      const order = { message: formatTaskCommit(work), because, ...declared };
      const made = await commit(tree, { ...order, revisable: left > 0 });
      if ("sentBack" in made) {
        sent = made.sentBack.findings;
        continue;
      }
      const advice = result.decision.findings.map((each) => ({ ...each }));
      const report = {
        commit: made.commit,
        branch: made.branch,
        rounds,
        checks: formatEvidence(evidence),
        ...pickNonEmpty({ advice }),
      };
      return { status: "done", confidence: "high", reason: work.subject, report };
    }
  },
);

type TaskVerbs = Verbs<TaskInput>;
type CheckedWork = { readonly evidence: Evidence; readonly changed: readonly string[]; readonly decision: Decision };

async function checkWork(
  { check, gate, see }: TaskVerbs,
  base: Tree,
  { after }: DeliveredAnswer,
): Promise<CheckedWork> {
  const evidence = await check(after, { baseline: base, task: "task" });
  const changed = (await see("changes", { from: base, to: after })).map(({ path }) => path);
  return { evidence, changed, decision: await gate("work", [CHANGED, GREEN], { changed, evidence, tree: after.tree }) };
}

type ReviewRequest = {
  readonly base: Tree;
  readonly work: DeliveredAnswer;
  readonly evidence: Evidence;
  readonly answers: readonly AnsweredQuestion[];
  /** Reviews of earlier rounds; the new one is appended. */
  readonly reviews: Review[];
};

async function askReviewer({ input, agent, gate, see }: TaskVerbs, at: ReviewRequest): Promise<Decision> {
  const { base, work, evidence, answers, reviews } = at;
  const { after: tree } = work;
  const diff = await see("diff", { from: base, to: tree });
  const earlier = reviews.flatMap(({ findings }) => findings);
  const asked = {
    request: input.request,
    ...pickNonEmpty({ answers, earlier }),
    delivered: pickDescription(work),
    diff,
    checks: formatEvidence(evidence),
  };
  const { verdict, findings, by } = await agent(reviewer, asked, { in: tree });
  reviews.push({ verdict, findings });
  return gate("review", [APPROVED], { review: { verdict, findings, by }, tree: tree.tree });
}

const createBlockedEnd = ({ body, after }: HaltedAnswer): End => ({
  status: "blocked",
  reason: body.trim() || "the developer was blocked and gave no reason",
  report: { work: { tree: after.tree, accepted: false, why: "the developer was blocked" } },
});

type ExhaustedLoop = { readonly rounds: number; readonly decision: Decision };

function createUnfinishedEnd({ rounds, decision }: ExhaustedLoop, tree: Tree): End {
  const findings: readonly Finding[] = decision.findings;
  const [first] = findings;
  const more = findings.length > 1 ? `, and ${findings.length - 1} more` : "";
  const why = first ? `${first.message.split("\n")[0]}${more}` : "it did not pass";
  return {
    status: "error",
    limit: true,
    reason: `not finished after ${rounds} rounds: ${why}`,
    report: { work: { tree: tree.tree, accepted: false, why }, findings: findings.map((each) => ({ ...each })) },
  };
}

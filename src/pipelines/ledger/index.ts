import { z } from "zod";
import type { Decision } from "../../core/authoring/decision.ts";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import { once } from "../../core/authoring/retry.ts";
import { commitOrRework } from "../commit-or-rework.ts";
import { Depth } from "../depth.ts";
import { pickNonEmpty } from "../non-empty.ts";
import { declareWork, REQUEST_KINDS } from "../work-kind.ts";
import { createRollbackCommand, formatEvidenceBundle, formatIssue, getFeatureFolder, toYaml } from "./artifacts.ts";
import { runKnowledgeStep } from "./building/closing.ts";
import { isRevisable, runCodeReview } from "./building/code-review.ts";
import { formatLedgerCommit } from "./building/commit-message.ts";
import { BUDGETS } from "./building/self-check.ts";
import { runTaskRounds } from "./building/task-rounds.ts";
import { openContext } from "./context.ts";
import { appendSkippedRules, listSkippedRules } from "./depth.ts";
import { formatMarkdown } from "./documents/markdown.ts";
import { shortenAnswer } from "./handover/short-answer.ts";
import { runDesign } from "./planning/design.ts";
import { runPlanning } from "./planning/planning.ts";
import { listHeadlines, runResearch } from "./planning/research.ts";
import { setUp } from "./planning/setup.ts";
import {
  designer,
  evaluator,
  implementer,
  knowledge,
  planner,
  researcher,
  reviewer,
  spec as specWriter,
  verifier,
} from "./roles.ts";
import { type Confidence, selectOutvoted } from "./rules.ts";

const Input = z.strictObject({
  request: z.string().regex(/\S/, { error: "expected a request" }),
  /** `short` skips roles for small work; the report lists the rules that are skipped with them. */
  depth: Depth.optional(),
  /** Kind of work stated by a person; it overrides agents' labels. */
  kind: z.enum(REQUEST_KINDS).optional(),
});

/**
 * @rule L-22 (policy) Work is committed at Medium confidence or higher, under a conventional subject that says what
 *   changed and the trailer `Co-authored-by: pipeline`; the commit has no changes but the run's own. Low confidence
 *   skips the commit.
 * @rule L-34 (code) Each agent gets the inputs of its role and nothing more.
 * @rule L-50 (code) The engine itself writes the evidence bundle, with or without the knowledge agent.
 */
export const ledger = definePipeline(
  {
    name: "ledger",
    does: "Research, design, review, build and review again, with every gate decided by SQL over recorded evidence",
    version: 6,
    input: Input,
    dialect: "completion",
    /** @rule L-26 (declaration) At most four agents run at once. */
    cap: 4,
    looksAt: () => [],
    /**
     * @rule L-06 (policy) The specification comes before the design; each is retried once.
     * @rule L-24 (policy) An answer without a readable completion block is requested once more; a second one is an
     *   ERROR.
     * @rule L-39 (policy) An answer that violates its schema is requested once more; a second violation is an ERROR.
     */
    retry: once(),
    loops: BUDGETS,
    documents: [`${getFeatureFolder("*")}/**`, `!${getFeatureFolder("*")}/decisions.yaml`],
    /** @rule L-01 (declaration) Steps 0 to 9 run in order; none is skipped without a recorded reason. */
    phases: [
      { title: "0 Setup", roles: [evaluator] },
      { title: "1 Research", roles: [researcher] },
      { title: "2 Spec", roles: [specWriter] },
      { title: "3 Design", roles: [designer] },
      { title: "3b Design review", roles: [reviewer], next: ["3 Design", "4 Plan"] },
      { title: "4 Plan", roles: [planner] },
      { title: "5 Implement", roles: [implementer] },
      { title: "6 Verify", roles: [verifier], next: ["4 Plan", "5 Implement", "7 Code review", "8 Knowledge"] },
      { title: "7 Code review", roles: [reviewer], next: ["5 Implement", "8 Knowledge"] },
      { title: "8 Knowledge", roles: [knowledge] },
      { title: "9 Commit", roles: [], next: ["5 Implement"] },
    ],
  },
  async (verbs) => {
    const context = openContext(verbs);
    const { input, run, begin, skip, agent, see, write, note, end, close, leave } = context;
    const { request, depth = "full" } = input;

    await begin("0 Setup");
    const setup = await setUp(context, depth);
    const { slug, folder, baseline } = setup;

    await begin("1 Research");
    const found = listHeadlines(await runResearch(context, { folder, depth }));

    await begin("2 Spec");
    const asked = { request, research: found, ...context.toRead(folder, "research") };
    const specified = await agent(specWriter, { ...asked, ...context.heard() });
    await write(`${folder}/spec-output.yaml`, toYaml(specified));
    await write(`${folder}/feature.md`, formatMarkdown("Feature", specified));

    const spec = shortenAnswer(specified);
    const designed = await runDesign(context, setup, { request, spec, research: found, depth });

    await begin("4 Plan");
    const known = { request, spec, design: designed.draft, verdicts: designed.verdicts };
    const { tasks, approved } = await runPlanning(context, setup, known);

    const verified = await runTaskRounds(context, setup, { ...known, tasks });
    const reviewed = await runCodeReview(context, setup, { request, spec, ...verified });

    const base = baseline.commit;
    const leftOut = listSkippedRules(depth);
    const shortened = leftOut.length > 0 ? { left_out: leftOut } : {};
    let judged: ConfidenceResult = { confidence: "low", known: {} };
    const order = async (reviewed: CodeReviewResult) => {
      const changed = (await see("changes", { from: baseline, to: reviewed.tree })).map((change) => change.path);
      const { confidence, issues, because } = await runKnowledgeStep(context, setup, {
        depth,
        exhausted: verified.exhausted || reviewed.exhausted,
        designed: designed.decisions,
        decisions: [...verified.tasks.map(({ decision }) => decision), ...reviewed.decisions],
        open: reviewed.open,
        tree: reviewed.tree,
        changed,
      });
      const known = pickNonEmpty({ known_issues: issues.map(formatIssue) });
      judged = { confidence, because, known };
      const reviews = { design: designed.verdicts, code: reviewed.reviews };
      const seen = { tasks: verified.tasks, whole: reviewed.whole, reviews, changed, issues, leftOut };
      await write(`${folder}/evidence-bundle.md`, formatEvidenceBundle({ slug, run, base, confidence, ...seen }));
      if (confidence === "low") {
        const reason = `not committed: ${because ?? "confidence is low"}, a person reviews first`;
        skip("9 Commit", reason);
        const report = { rollback: createRollbackCommand({ run, base }), ...known, ...shortened };
        return end(await close({ status: "done", confidence, reason: appendSkippedRules(reason, depth), report }));
      }
      await begin("9 Commit");
      const message = formatLedgerCommit({ request, spec, tasks, confidence, issues, folder });
      leave({ tree: reviewed.tree, accepted: true, why: "it passed every gate" });
      const caveats = selectOutvoted(issues).map((issue) => `not settled: ${formatIssue(issue)}`);
      return {
        tree: reviewed.tree,
        message,
        because: reviewed.decisions,
        caveats,
        ...declareWork(input, { parts: tasks, approved }),
      };
    };
    const reviewAgain = (before: CodeReviewResult, { findings }: Decision) =>
      runCodeReview(context, setup, { request, spec, ...before }, { ...before, findings });
    const { made: committed } = await commitOrRework(context, reviewed, {
      order,
      revisable: isRevisable,
      rework: reviewAgain,
    });
    const { commit: id, branch, code } = committed;
    const { confidence, because, known: issues } = judged;
    // The bundle is part of the commit and cannot contain its id. With two commits, the run's name finds both.
    const made = {
      id,
      branch,
      rollback: createRollbackCommand({ run, base, ...(code === undefined ? { commit: id } : {}) }),
    };
    await note({ commit: made });
    const said = [`committed ${id.slice(0, 10)} on ${branch}`, ...(because ? [because] : [])].join("; ");
    const why = because || depth === "short" ? { reason: appendSkippedRules(said, depth) } : {};
    return close({ status: "done", confidence, ...why, report: { commit: made, ...issues, ...shortened } });
  },
);

type CodeReviewResult = Awaited<ReturnType<typeof runCodeReview>>;
type ConfidenceResult = {
  readonly confidence: Confidence;
  readonly because?: string | undefined;
  readonly known: { readonly known_issues?: readonly string[] };
};

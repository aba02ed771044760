// Work, checks of the project, three reviewers at once, and another round as long as they object.
// Every verb is recorded: a run that is killed goes on where it was. Await each verb, and take time, chance and files
// only through verbs. `signalbox` and `zod` need not be installed here.
import { definePipeline, defineRole, type Evidence, Finding, once, sqlRule, type Tree, valueRule } from "signalbox";
import { z } from "zod";

const ROUNDS = 3;
const VIEWS = ["correctness", "security", "simplicity"] as const;

const author = defineRole({
  name: "author",
  does: "Carries out the request, and settles what the reviewers found.",
  input: z.object({ request: z.string(), findings: z.array(Finding).readonly() }),
  contract: z.object({ summary: z.string().min(1) }),
  writes: true,
});

const Verdict = z.object({
  verdict: z.enum(["approve", "needs_revision"]),
  findings: z.array(z.object({ message: z.string().min(1), files: z.array(z.string()).optional() })),
});

const reviewer = defineRole({
  name: "reviewer",
  does: "Reads a change from one point of view and says whether it may stay.",
  input: z.object({ view: z.enum(VIEWS), summary: z.string(), diff: z.string() }),
  contract: Verdict,
  // A valid answer counts in the ledger. Who said it, in which round, comes from the engine, not from the agent.
  verdict: ({ verdict, findings }) => ({ passed: verdict === "approve", because: findings[0]?.message ?? "" }),
});

// Asked of the ledger. `:run` is bound by the engine, the others come from what the gate is about.
const TWO_APPROVE = sqlRule({
  id: "TWO-APPROVE",
  because: "two of three reviewers must approve",
  sql: `SELECT CAST(COUNT(DISTINCT instance) AS INTEGER) AS actual FROM anvil_checks
WHERE run_id = :run AND task_id = :task AND round = :round AND phase = 'review' AND verdict = 'approve'`,
  need: 2,
});

// What the engine saw itself when it ran the project's own commands on this very tree.
const NOTHING_WORSE = valueRule({
  id: "NOTHING-WORSE",
  because: "no check may fail that passed before, and no test may be weakened",
  judge: ({ evidence }: { evidence: Pick<Evidence, "regressions" | "tamper"> }) => {
    const findings = [...evidence.regressions, ...evidence.tamper];
    return { passed: findings.length === 0, findings };
  },
});

// Never refuses: it hands what the reviewers said to the next round.
const HEARD = valueRule({
  id: "HEARD",
  because: "what reviewers found is known to the next round",
  judge: ({ reviews }: { reviews: readonly (z.infer<typeof Verdict> & { by: string })[] }) => ({
    passed: true,
    findings: reviews.flatMap(({ by, findings }) =>
      findings.map(
        ({ message, files }): Finding => ({
          severity: "major",
          message,
          by,
          ...(files === undefined ? {} : { files }),
        }),
      ),
    ),
  }),
});

export const pipeline = definePipeline(
  {
    name: "review",
    does: "A change that three reviewers look at until two of them approve",
    input: z.object({ request: z.string().min(1) }),
    phases: [
      { title: "1 Write", roles: [author] },
      { title: "2 Review", roles: [reviewer], next: ["1 Write", "3 Accept"] },
      { title: "3 Accept" },
    ],
    retry: once(),
  },
  async ({ input, phase, see, loop, agent, check, parallel, gate, ask, commit }) => {
    phase("1 Write");
    const baseline = await see("head");
    let start: Tree = baseline;

    const { work, decision, ended, rounds } = await loop({ max: ROUNDS }, async ({ round, findings }) => {
      phase("1 Write");
      // A tree is a value: the next round goes on where this one stopped.
      const work = await agent(author, { request: input.request, findings }, { in: start });
      start = work.after;

      phase("2 Review");
      const evidence = await check(work.after, { baseline, task: "change" });
      const diff = await see("diff", { from: baseline, to: work.after });
      const reviews = await parallel(VIEWS, (view) =>
        agent(reviewer, { view, summary: work.summary, diff }, { as: view, task: "change", in: work.after }),
      );
      const heard = reviews.filter((review) => review !== undefined);
      const about = { task: "change", round, tree: work.after, evidence, reviews: heard };
      return { work, decision: await gate("review", [TWO_APPROVE, NOTHING_WORSE, HEARD], about) };
    });
    if (ended !== "passed") return { status: "error", reason: `still refused after ${rounds} rounds` };

    phase("3 Accept");
    const answer = await ask({
      title: "Keep this change?",
      show: { summary: work.summary, changed: work.changed, findings: decision.findings },
      choices: ["keep", "drop"],
      auto: "keep",
      accepts: "keep",
      tree: work.after,
    });
    if (answer.choice === "drop") return { status: "done", reason: "dropped by a person" };
    await commit(work.after, { message: `feat: ${work.summary}`, because: [decision, answer.decision] });
    return { status: "done", confidence: decision.findings.length === 0 ? "high" : "medium" };
  },
);

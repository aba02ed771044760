import { z } from "zod";
import { definePipeline } from "../../core/pipeline.ts";
import { once } from "../../core/retry.ts";
import { bundleOf, yamlOf } from "./artifacts.ts";
import { codeReview } from "./code-review.ts";
import { design } from "./design.ts";
import { plan } from "./planning.ts";
import { research } from "./research.ts";
import { designer, evaluator, implementer, knowledge, planner, researcher, reviewer, spec, verifier } from "./roles.ts";
import { confidenceOf } from "./rules.ts";
import { setUp } from "./setup.ts";
import { implementAndVerify } from "./verification.ts";

const Input = z.object({ request: z.string().min(1) });

export const ledger = definePipeline(
  {
    name: "ledger",
    about: "Research, design, review, build and review again, with every gate decided by SQL over recorded evidence",
    version: 1,
    input: Input,
    dialect: "completion",
    cap: 4,
    retry: once(),
    phases: [
      { title: "0 Setup", roles: [evaluator] },
      { title: "1 Research", roles: [researcher] },
      { title: "2 Spec", roles: [spec] },
      { title: "3 Design", roles: [designer] },
      { title: "3b Design review", roles: [reviewer], next: ["3 Design", "4 Plan"] },
      { title: "4 Plan", roles: [planner] },
      { title: "5 Implement", roles: [implementer] },
      { title: "6 Verify", roles: [verifier], next: ["4 Plan", "5 Implement", "7 Code review", "8 Knowledge"] },
      { title: "7 Code review", roles: [reviewer], next: ["5 Implement", "8 Knowledge"] },
      { title: "8 Knowledge", roles: [knowledge] },
      { title: "9 Commit", roles: [] },
    ],
  },
  async (verbs) => {
    const { input, run, phase, skip, agent, attempt, see, write, note, commit } = verbs;

    phase("0 Setup");
    const setup = await setUp(verbs);
    const { slug, folder, baseline } = setup;

    phase("1 Research");
    const found = await research(verbs, folder);

    phase("2 Spec");
    const specified = await agent(spec, { request: input.request, research: found });
    await write(`${folder}/spec-output.yaml`, yamlOf(specified));

    const designed = await design(verbs, setup, { spec: specified, research: found });

    phase("4 Plan");
    const known = { design: designed.draft, spec: specified };
    const tasks = await plan(verbs, folder, { ...known, verdicts: designed.verdicts });

    const verified = await implementAndVerify(verbs, setup, { ...known, tasks });
    const reviewed = await codeReview(verbs, setup, verified);

    phase("8 Knowledge");
    const decisions = [designed.decision, reviewed.integrated, reviewed.decision];
    const confidence = confidenceOf({ exhausted: verified.exhausted || reviewed.exhausted, decisions });
    const issues = decisions.flatMap((decision) => decision.findings);
    const learned = await attempt(knowledge, { request: input.request, decisions, issues, confidence });
    if (learned.ok) await write(`${folder}/knowledge-output.yaml`, yamlOf(learned.value));
    const changed = (await see("changes", { from: baseline, to: reviewed.tree })).map((change) => change.path);
    const { whole, decision: review } = reviewed;
    await write(`${folder}/evidence-bundle.md`, bundleOf({ slug, run, confidence, whole, review, changed, issues }));

    if (confidence === "low") {
      skip("9 Commit", "confidence is low: a person reviews first");
      return { status: "done", confidence, reason: "not committed: confidence is low" };
    }
    phase("9 Commit");
    const message = `feat(${slug}): pipeline complete\n\nCo-authored-by: pipeline`;
    const { commit: id } = await commit(reviewed.tree, { message, because: [reviewed.integrated, reviewed.decision] });
    await note({ commit: id, rollback: `signalbox revert ${run}` });
    return { status: "done", confidence, report: { commit: id } };
  },
);

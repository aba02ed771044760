import { z } from "zod";
import { definePipeline } from "../../core/pipeline.ts";
import { once } from "../../core/retry.ts";
import { declaredOf } from "../work-kind.ts";
import { bundleOf, rollbackOf, yamlOf } from "./artifacts.ts";
import { lookBack } from "./closing.ts";
import { codeReview } from "./code-review.ts";
import { design } from "./design.ts";
import { openDesk } from "./desk.ts";
import { markdownOf } from "./markdown.ts";
import { plan } from "./planning.ts";
import { research } from "./research.ts";
import { designer, evaluator, implementer, knowledge, planner, researcher, reviewer, spec, verifier } from "./roles.ts";
import { setUp } from "./setup.ts";
import { implementAndVerify } from "./verification.ts";

const Input = z.strictObject({ request: z.string().regex(/\S/, { error: "expected a request in words" }) });

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
    const desk = openDesk(verbs);
    const { input, run, begin, skip, agent, see, write, note, commit, close } = desk;

    await begin("0 Setup");
    const setup = await setUp(desk);
    const { slug, folder, baseline } = setup;

    await begin("1 Research");
    const found = await research(desk, folder);

    await begin("2 Spec");
    const specified = await agent(spec, { request: input.request, research: found });
    await write(`${folder}/spec-output.yaml`, yamlOf(specified));
    await write(`${folder}/feature.md`, markdownOf("Feature", specified));

    const designed = await design(desk, setup, { spec: specified, research: found });

    await begin("4 Plan");
    const known = { design: designed.draft, spec: specified, verdicts: designed.verdicts };
    const tasks = await plan(desk, setup, known);

    const verified = await implementAndVerify(desk, setup, { ...known, tasks });
    const reviewed = await codeReview(desk, setup, verified);

    await begin("8 Knowledge");
    const decisions = [designed.decision, ...verified.tasks.map(({ decision }) => decision), reviewed.integrated];
    const reviews = { design: designed.verdicts, code: reviewed.reviews };
    const { confidence, issues } = await lookBack(desk, setup, {
      exhausted: verified.exhausted || reviewed.exhausted,
      decisions: [...decisions, reviewed.decision],
      verdicts: reviews,
    });
    const changed = (await see("changes", { from: baseline, to: reviewed.tree })).map((change) => change.path);
    const base = baseline.commit;
    const bundle = {
      slug,
      run,
      base,
      confidence,
      tasks: verified.tasks,
      whole: reviewed.whole,
      reviews,
      changed,
      issues,
    };
    await write(`${folder}/evidence-bundle.md`, bundleOf(bundle));

    if (confidence === "low") {
      const reason = "not committed: confidence is low, a person reviews first";
      skip("9 Commit", reason);
      return close({ status: "done", confidence, reason, report: { rollback: rollbackOf({ run, base }) } });
    }
    await begin("9 Commit");
    const message = `feat(${slug}): pipeline complete\n\nCo-authored-by: pipeline`;
    const because = [reviewed.integrated, reviewed.decision];
    const { commit: id, branch } = await commit(reviewed.tree, { message, because, ...declaredOf(tasks) });
    // The bundle is part of the commit and cannot name it; this can.
    const made = { id, branch, rollback: rollbackOf({ run, base, commit: id }) };
    await note({ commit: made });
    return close({ status: "done", confidence, report: { commit: made } });
  },
);

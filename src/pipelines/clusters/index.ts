import { z } from "zod";
import { definePipeline } from "../../core/pipeline.ts";
import { once } from "../../core/retry.ts";
import { declaredOf } from "../work-kind.ts";
import { DOCUMENTS } from "./artifacts.ts";
import { complete, forPeople } from "./closing.ts";
import { design } from "./design.ts";
import { implement } from "./implementation.ts";
import { plan } from "./planning.ts";
import { research } from "./research.ts";
import { review } from "./review.ts";
import * as roles from "./roles.ts";
import { setUp } from "./setup.ts";
import { verify } from "./verification.ts";

const { researcher, spec, designer, planner, implementer, documentationWriter } = roles;
const critics = [...roles.CRITICS, roles.ctAggregator];
const verifiers = [roles.vBuild, ...roles.VERIFIERS, roles.vAggregator];
const reviewers = [...roles.REVIEWERS, roles.rKnowledge, roles.rAggregator];

const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: "expected lower-case words joined by dashes" });

export const clusters = definePipeline(
  {
    name: "clusters",
    about: "Research, design, build and review by clusters of agents whose verdicts are added up by fixed tables",
    version: 1,
    input: z.strictObject({
      request: z.string().regex(/\S/, { error: "expected a request in words" }),
      slug: slug.optional(),
    }),
    dialect: "line",
    cap: 4,
    retry: once(),
    phases: [
      { title: "0 Setup", roles: [] },
      { title: "1 Research", roles: [researcher] },
      { title: "2 Specification", roles: [spec] },
      { title: "3 Design", roles: [designer] },
      { title: "3b Design review", roles: critics, next: ["3 Design", "4 Planning"] },
      { title: "4 Planning", roles: [planner] },
      {
        title: "5 Implementation",
        roles: [implementer, documentationWriter],
        next: ["6 Verification", "7 Final review", "4 Planning"],
      },
      { title: "6 Verification", roles: verifiers, next: ["4 Planning", "7 Final review"] },
      { title: "7 Final review", roles: reviewers, next: ["4 Planning", "5 Implementation"] },
    ],
  },
  async (verbs) => {
    const { input, commit } = verbs;
    const feature = await setUp(verbs);

    await research(verbs, feature);

    await feature.begin("2 Specification");
    await feature.must({ role: spec, step: "2", reads: [DOCUMENTS.analysis], outputs: [DOCUMENTS.feature] });
    await feature.prune();

    const constraints = await design(verbs, feature);
    const { tasks, waves } = await plan(verbs, feature, constraints);
    const built = await implement(verbs, feature, { waves });
    const verified = await verify(verbs, feature, { tasks, built });
    const reviewed = await review(verbs, feature, verified);
    const completed = await complete(verbs, feature, reviewed);

    const [title = ""] = input.request.split("\n");
    const made = await commit(feature.tree, {
      message: `feat(${feature.slug}): ${title}`,
      because: [completed],
      ...declaredOf(tasks),
    });
    await feature.tell({
      commit: { id: made.commit, branch: made.branch },
      for_people: await forPeople(verbs, feature),
    });
    return feature.done(title);
  },
);

import { z } from "zod";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import { once } from "../../core/authoring/retry.ts";
import { commitOrRework } from "../commit-or-rework.ts";
import { Depth } from "../depth.ts";
import { declareWork, REQUEST_KINDS } from "../work-kind.ts";
import { DOCUMENTS, getFeatureFolder } from "./artifacts.ts";
import { completeFeature, listFilesForPeople, listOpenFindings } from "./building/closing.ts";
import { formatClusterCommit } from "./building/commit-message.ts";
import { runImplementation } from "./building/implementation.ts";
import { isRevisable, MOST_ROUNDS, runReview } from "./building/review.ts";
import { runVerification } from "./building/verification.ts";
import { REPLANS } from "./patterns.ts";
import { REVISIONS, runDesign } from "./planning/design.ts";
import { runPlanning } from "./planning/planning.ts";
import { runResearch } from "./planning/research.ts";
import { setUp } from "./planning/setup.ts";
import * as roles from "./roles.ts";

const { researcher, spec, designer, planner, implementer, documentationWriter } = roles;
const critics = [...roles.CRITICS, roles.ctAggregator];
const verifiers = [roles.vBuild, ...roles.VERIFIERS, roles.vAggregator];
const reviewers = [...roles.REVIEWERS, roles.rKnowledge, roles.rAggregator];

const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: "expected lower-case words joined by dashes" });

export const clusters = definePipeline(
  {
    name: "clusters",
    does: "Research, design, build and review by clusters of agents, with verdicts combined by fixed tables",
    version: 5,
    input: z.strictObject({
      request: z.string().regex(/\S/, { error: "expected a request" }),
      slug: slug.optional(),
      /** Full by default. `short` skips the rules that the report lists. */
      depth: Depth.optional(),
      /** Kind of work stated by a person; it overrides agents' labels. */
      kind: z.enum(REQUEST_KINDS).optional(),
    }),
    /**
     * @rule C-03 (declaration) The contract is the last line of the final message and carries the dispatch's nonce;
     *   quoted lines do not count.
     */
    dialect: "line",
    cap: 4,
    looksAt: () => [],
    retry: once(),
    documents: [
      `${getFeatureFolder("*")}/**`,
      ...[DOCUMENTS.decisions, DOCUMENTS.memory].map((name) => `!${getFeatureFolder("*")}/${name}`),
    ],
    loops: { design: 1 + REVISIONS, verification: 1 + REPLANS, review: MOST_ROUNDS },
    /**
     * @rule C-01 (declaration) Steps 0 to 7 run in order, each dispatches only its own roles, and an event naming step
     *   and role precedes every dispatch.
     */
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
    const { input } = verbs;
    const context = await setUp(verbs);

    await runResearch(verbs, context);

    await context.begin("2 Specification");
    await context.must({ role: spec, step: "2", reads: [DOCUMENTS.analysis], outputs: [DOCUMENTS.feature] });
    await context.prune();

    const constraints = await runDesign(verbs, context);
    const { tasks, waves, approved } = await runPlanning(verbs, context, constraints);
    const built = await runImplementation(verbs, context, { waves });
    const verified = await runVerification(verbs, context, { tasks, built });
    const start = await runReview(verbs, context, verified);

    const [title = ""] = input.request.split("\n");
    const { request } = input;
    const folder = context.at("").slice(0, -1);
    const { made } = await commitOrRework(verbs, start, {
      revisable: isRevisable,
      order: async (reviewed) => {
        const { decision, evidence } = await completeFeature(verbs, context, reviewed);
        const path = context.at(DOCUMENTS.feature);
        const feature = (await verbs.see("file", { path, in: context.tree }))?.text ?? "";
        const open = listOpenFindings(reviewed.verified);
        const message = formatClusterCommit({ request, feature, tasks, evidence, open, folder });
        return { tree: context.tree, message, because: [decision], ...declareWork(input, { parts: tasks, approved }) };
      },
      rework: ({ verified: before, spent }, { findings }) => runReview(verbs, context, before, { findings, spent }),
    });
    await context.tell({
      commit: { id: made.commit, branch: made.branch },
      for_people: await listFilesForPeople(verbs, context),
    });
    return context.done(title);
  },
);

import { z } from "zod";
import { definePipeline } from "../../core/pipeline.ts";
import { once } from "../../core/retry.ts";
import type { Verbs } from "../../core/verbs.ts";
import { slugOf } from "../slug.ts";
import { design } from "./design.ts";
import { type Feature, featureOf } from "./feature.ts";
import { implement, planTasks } from "./implementation.ts";
import { EMPTY, pruned } from "./memory.ts";
import { review } from "./review.ts";
import * as roles from "./roles.ts";
import { COMPLETE } from "./rules.ts";
import { verify } from "./verification.ts";

const { researcher, spec, designer, planner, implementer, documentationWriter } = roles;
const FOCUSES = ["architecture", "impact", "dependencies", "patterns"] as const;

export const clusters = definePipeline(
  {
    name: "clusters",
    about: "Research, design, build and review by clusters of agents whose verdicts are added up by fixed tables",
    version: 1,
    input: z.strictObject({ request: z.string().min(1) }),
    dialect: "line",
    cap: 4,
    retry: once(),
    phases: [
      { title: "0 Setup", roles: [] },
      { title: "1 Research", roles: [researcher] },
      { title: "2 Specification", roles: [spec] },
      { title: "3 Design", roles: [designer] },
      {
        title: "3b Design review",
        roles: [...roles.CRITICS, roles.ctAggregator],
        next: ["3 Design", "4 Planning"],
      },
      { title: "4 Planning", roles: [planner] },
      {
        title: "5 Implementation",
        roles: [implementer, documentationWriter],
        next: ["6 Verification", "7 Final review"],
      },
      {
        title: "6 Verification",
        roles: [roles.vBuild, ...roles.VERIFIERS, roles.vAggregator],
        next: ["4 Planning", "7 Final review"],
      },
      {
        title: "7 Final review",
        roles: [...roles.REVIEWERS, roles.rKnowledge, roles.rAggregator],
        next: ["4 Planning", "5 Implementation"],
      },
    ],
  },
  async (verbs) => {
    const { input, phase, see, ask, check, gate, write, commit, end } = verbs;

    phase("0 Setup");
    const slug = slugOf(input.request);
    const folder = `docs/feature/${slug}`;
    const base = await see("head");
    const there = await see("files", { under: folder, in: base });
    if (there.length > 0) return end({ status: "error", reason: `${folder} has outputs already: ${there.join(", ")}` });
    const feature = featureOf(verbs, { folder, tree: base });
    await write(feature.at("initial-request.md"), `${input.request}\n`);
    await feature.remember(EMPTY);

    phase("1 Research");
    await research(verbs, feature);

    phase("2 Specification");
    await feature.solo({ role: spec, step: "2", reads: ["analysis.md"], output: "feature.md" });
    await feature.remember(pruned(feature.memory, ["1", "2"]));

    const constraints = await design(verbs, feature);

    phase("4 Planning");
    const tasks = await approved(verbs, "The plan is ready. Go on?", async (note) => {
      const planned = await planTasks(verbs, feature, { constraints, ...(note && { note }) });
      await feature.remember(pruned(feature.memory, ["3b", "4"]));
      return planned;
    });
    if (tasks.length === 0) return { status: "error", reason: "the planner left no task file" };

    phase("5 Implementation");
    const built = await implement(verbs, feature, tasks);
    const verified = await verify(verbs, feature, { base, ...built });
    const reviewed = await review(verbs, feature, { base, tasks, verified });

    const v = reviewed.verified.decision;
    const question = { title: "Verification has open findings. Accept them?", show: v.findings } as const;
    const accepted =
      v.passed || (await ask({ ...question, choices: ["accept", "refuse"], auto: "refuse" })).choice === "accept";
    const { tree } = feature;
    const holds = await check(tree, { baseline: base, task: "complete" });
    const about = { verified: accepted, reviewed: reviewed.decision.passed, holds: holds.passed, tree: tree.tree };
    const complete = await gate("complete", [COMPLETE], about);
    if (!complete.passed) {
      const open = [...(v.passed ? [] : v.findings), ...reviewed.decision.findings, ...holds.regressions];
      return { status: "error", reason: `unresolved: ${open.map((finding) => finding.message).join("; ")}` };
    }
    const { commit: id } = await commit(tree, {
      message: `feat(${slug}): ${input.request.split("\n")[0]}`,
      because: [complete],
    });
    return { status: "done", report: { commit: id } };
  },
);

/** Four studies side by side, two of which must arrive, joined by one more. */
async function research(verbs: Verbs<unknown>, feature: Feature): Promise<void> {
  const studies = await feature.cluster(
    FOCUSES.map((focus) => ({
      role: researcher,
      as: `researcher-${focus}`,
      step: "1",
      reads: [],
      output: `research/${focus}.md`,
      more: { mode: "focused", focus },
    })),
  );
  const there = FOCUSES.filter((_, at) => studies[at]?.status === "DONE");
  if (there.length < 2) return verbs.end({ status: "error", reason: `only ${there.length} of 4 studies arrived` });
  const reads = there.map((focus) => `research/${focus}.md`);
  await approved(verbs, "Research is joined in analysis.md. Go on?", async (note) => {
    const more = { mode: "synthesis", ...(note && { note }) };
    const { text } = await feature.solo({ role: researcher, step: "1", reads, output: "analysis.md", more });
    await feature.remember(pruned(feature.memory, ["1"]));
    return text;
  });
}

/** A person's no with a note sends the step back to its agent once; without a note it ends the run. */
async function approved<T>(verbs: Verbs<unknown>, title: string, work: (note: string) => Promise<T>): Promise<T> {
  const { loop, ask, end } = verbs;
  let wish = "";
  const { result, ended } = await loop({ max: 2 }, async () => {
    const result = await work(wish);
    const question = { title, show: result, choices: ["proceed", "refuse"], auto: "proceed" } as const;
    const { choice, note, decision } = await ask({ ...question, accepts: "proceed" });
    if (choice === "refuse" && !note) return end({ status: "error", reason: "refused by a person" });
    wish = note ?? "";
    return { result, decision };
  });
  return ended === "passed" ? result : end({ status: "error", reason: `refused by a person: ${wish}` });
}

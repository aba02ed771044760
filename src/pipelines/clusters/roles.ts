import { defineRole } from "../../core/role.ts";
import { lineOf } from "./contracts.ts";

const doer = (name: string, does: string) => defineRole({ name, does, contract: lineOf("DONE"), writes: true });
const judge = (name: string, does: string) =>
  defineRole({ name, does, contract: lineOf("DONE", "NEEDS_REVISION"), writes: true });

export type Doer = ReturnType<typeof doer>;
export type Judge = ReturnType<typeof judge>;

export const researcher = doer(
  "researcher",
  "Studies the code base for one focus, or joins four studies into one analysis.",
);
export const spec = doer("spec", "Writes the feature down: what it does, for whom, and how each part is accepted.");
export const designer = doer("designer", "Designs the feature and answers every finding of an earlier review.");
export const planner = doer(
  "planner",
  "Cuts the design into task files that name their agent, files and dependencies.",
);
export const implementer = doer("implementer", "Implements one task test-first, in the files that it names.");
export const documentationWriter = doer("documentation-writer", "Writes the documents of one task.");

export const CRITICS = [
  doer("ct-security", "Attacks the design where data, secrets and access are concerned."),
  doer("ct-scalability", "Asks of the design what happens at a hundred times the load."),
  doer("ct-maintainability", "Looks for what will be hard to change in the design."),
  doer("ct-strategy", "Asks whether the design solves the right problem in the simplest way."),
] as const;
export const ctAggregator = judge("ct-aggregator", "Joins the critics' findings and names the tensions that remain.");

export const vBuild = doer("v-build", "Reports how the whole builds, and stops everything else if it does not.");
export const VERIFIERS = [
  judge("v-tests", "Judges the test run of the whole feature."),
  judge("v-tasks", "Compares each task's acceptance criteria with what is there."),
  judge("v-feature", "Compares the feature's description with what is there."),
] as const;
export const vAggregator = judge(
  "v-aggregator",
  "Joins the verification reports and lists which tasks must be redone.",
);

export const REVIEWERS = [
  judge("r-quality", "Reviews the change for correctness and readability."),
  judge("r-security", "Reviews the change for ways to misuse it."),
  judge("r-testing", "Reviews whether the tests would notice if the change were wrong."),
] as const;
export const rKnowledge = doer("r-knowledge", "Writes down what this run teaches, as proposals for people.");
export const rAggregator = judge("r-aggregator", "Joins the reviews into one and says whether the feature is ready.");

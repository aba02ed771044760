import { defineRole, type Role } from "../../core/role.ts";
import { Line, type Status, unless } from "./contracts.ts";
import { aggregatorPrompt } from "./prompts/aggregator.ts";
import { criticPrompt } from "./prompts/critic.ts";
import { designerPrompt } from "./prompts/designer.ts";
import { documentationWriterPrompt } from "./prompts/documentation-writer.ts";
import { implementerPrompt } from "./prompts/implementer.ts";
import { knowledgePrompt } from "./prompts/knowledge.ts";
import { plannerPrompt } from "./prompts/planner.ts";
import { researcherPrompt } from "./prompts/researcher.ts";
import { reviewerPrompt } from "./prompts/reviewer.ts";
import { specPrompt } from "./prompts/spec.ts";
import { buildPrompt, verifierPrompt } from "./prompts/verifier.ts";

export type Doer = Role<unknown, Line, true>;

type Part = { readonly name: string; readonly does: string; readonly prompt: string };

const speaks =
  (...may: readonly Status[]) =>
  (part: Part): Doer =>
    defineRole({ ...part, contract: Line, fails: unless(...may), writes: true });

/** Says that it is done, or that it failed. */
const doer = speaks("DONE");
/** May also ask for a revision: whoever joins the reports hears of it. */
const judge = speaks("DONE", "NEEDS_REVISION");

export const researcher = doer({
  name: "researcher",
  does: "Studies the code base for one focus, or joins the studies into one analysis.",
  prompt: researcherPrompt,
});
export const spec = doer({
  name: "spec",
  does: "Writes the feature down: what it does, for whom, and how each part is accepted.",
  prompt: specPrompt,
});
export const designer = doer({
  name: "designer",
  does: "Designs the feature and answers every finding of an earlier review.",
  prompt: designerPrompt,
});
export const planner = doer({
  name: "planner",
  does: "Cuts the design into waves of task files that name their agent, files and dependencies.",
  prompt: plannerPrompt,
});
export const implementer = doer({
  name: "implementer",
  does: "Implements one task test-first, in the files that it names.",
  prompt: implementerPrompt,
});
export const documentationWriter = doer({
  name: "documentation-writer",
  does: "Writes the documents of one task.",
  prompt: documentationWriterPrompt,
});

const critic = (name: string, does: string): Doer => doer({ name, does, prompt: criticPrompt(name) });
export const CRITICS: readonly Doer[] = [
  critic("ct-security", "Attacks the design where data, secrets and access are concerned."),
  critic("ct-scalability", "Asks of the design what happens at a hundred times the load."),
  critic("ct-maintainability", "Looks for what will be hard to change in the design."),
  critic("ct-strategy", "Asks whether the design solves the right problem in the simplest way."),
];
export const ctAggregator = judge({
  name: "ct-aggregator",
  does: "Joins the critics' findings and names the tensions that remain.",
  prompt: aggregatorPrompt("ct-aggregator"),
});

export const vBuild = doer({
  name: "v-build",
  does: "Reports how the whole builds, and closes the gate for the others if it does not.",
  prompt: buildPrompt,
});
const verifier = (name: string, does: string): Doer => judge({ name, does, prompt: verifierPrompt(name) });
export const VERIFIERS: readonly Doer[] = [
  verifier("v-tests", "Judges the test run of the whole feature."),
  verifier("v-tasks", "Compares each task's acceptance criteria with what is there."),
  verifier("v-feature", "Compares the feature's description with what is there."),
];
export const vAggregator = judge({
  name: "v-aggregator",
  does: "Joins the verification reports and lists which tasks must be redone.",
  prompt: aggregatorPrompt("v-aggregator"),
});

const reviewer = (name: string, does: string): Doer => judge({ name, does, prompt: reviewerPrompt(name) });
export const REVIEWERS: readonly Doer[] = [
  reviewer("r-quality", "Reviews the change for correctness and readability."),
  reviewer("r-security", "Reviews the change for ways to misuse it."),
  reviewer("r-testing", "Reviews whether the tests would notice if the change were wrong."),
];
export const rKnowledge = doer({
  name: "r-knowledge",
  does: "Writes down what this run teaches, as proposals for people.",
  prompt: knowledgePrompt,
});
export const rAggregator = judge({
  name: "r-aggregator",
  does: "Joins the reviews into one and says whether the feature is ready.",
  prompt: aggregatorPrompt("r-aggregator"),
});

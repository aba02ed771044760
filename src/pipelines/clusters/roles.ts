import { defineRole, type Role } from "../../core/authoring/role.ts";
import { type Line, lineOf, type Status, unless } from "./contracts.ts";
import { aggregatorText } from "./prompts/aggregator.ts";
import { criticText } from "./prompts/critic.ts";
import { designerText } from "./prompts/designer.ts";
import { documentationWriterText } from "./prompts/documentation-writer.ts";
import { implementerText } from "./prompts/implementer.ts";
import { knowledgeText } from "./prompts/knowledge.ts";
import { plannerText } from "./prompts/planner.ts";
import type { RoleText } from "./prompts/protocol.ts";
import { researcherText } from "./prompts/researcher.ts";
import { reviewerText } from "./prompts/reviewer.ts";
import { specText } from "./prompts/spec.ts";
import { buildText, verifierText } from "./prompts/verifier.ts";

export type ClusterRole = Role<unknown, Line, true>;

type RolePart = RoleText & { readonly name: string; readonly does: string; readonly documents?: true };

const speaks =
  (...may: readonly Status[]) =>
  (part: RolePart): ClusterRole =>
    defineRole({
      ...part,
      contract: lineOf(...may),
      fails: unless(...may),
      revises: ({ line }) => line === "NEEDS_REVISION",
      writes: true,
    });

/**
 * Says that it is done, or that it failed.
 * @rule C-32 (declaration) An objection from an agent that may not object is an error.
 */
const doer = speaks("DONE");
/** May also ask for a revision: whoever joins the reports hears of it. */
const judge = speaks("DONE", "NEEDS_REVISION");

export const researcher = doer({
  name: "researcher",
  does: "Studies the code base for one focus, or joins the studies into one analysis.",
  documents: true,
  ...researcherText,
});
export const spec = doer({
  name: "spec",
  does: "Writes the feature down: what it does, for whom, and how each part is accepted.",
  documents: true,
  ...specText,
});
export const designer = doer({
  name: "designer",
  does: "Designs the feature and answers every finding of an earlier review.",
  documents: true,
  ...designerText,
});
export const planner = doer({
  name: "planner",
  does: "Cuts the design into waves of task files that name their agent, files and dependencies.",
  documents: true,
  ...plannerText,
});
export const implementer = doer({
  name: "implementer",
  does: "Implements one task test-first, in the files that it names.",
  ...implementerText,
});
export const documentationWriter = doer({
  name: "documentation-writer",
  does: "Writes the documents of one task.",
  ...documentationWriterText,
});

const critic = (name: string, does: string): ClusterRole => doer({ name, does, documents: true, ...criticText(name) });
export const CRITICS: readonly ClusterRole[] = [
  critic("ct-security", "Attacks the design where data, secrets and access are concerned."),
  critic("ct-scalability", "Asks of the design what happens at a hundred times the load."),
  critic("ct-maintainability", "Looks for what will be hard to change in the design."),
  critic("ct-strategy", "Asks whether the design solves the right problem in the simplest way."),
];
export const ctAggregator = judge({
  name: "ct-aggregator",
  does: "Joins the critics' findings and names the tensions that remain.",
  documents: true,
  ...aggregatorText("ct-aggregator"),
});

export const vBuild = doer({
  name: "v-build",
  does: "Reports how the whole builds, and closes the gate for the others if it does not.",
  ...buildText,
});
const verifier = (name: string, does: string): ClusterRole => judge({ name, does, ...verifierText(name) });
export const VERIFIERS: readonly ClusterRole[] = [
  verifier("v-tests", "Judges the test run of the whole feature."),
  verifier("v-tasks", "Compares each task's acceptance criteria with what is there."),
  verifier("v-feature", "Compares the feature's description with what is there."),
];
export const vAggregator = judge({
  name: "v-aggregator",
  does: "Joins the verification reports and lists which tasks must be redone.",
  documents: true,
  ...aggregatorText("v-aggregator"),
});

const reviewer = (name: string, does: string): ClusterRole =>
  judge({ name, does, documents: true, ...reviewerText(name) });
export const REVIEWERS: readonly ClusterRole[] = [
  reviewer("r-quality", "Reviews the change for correctness and readability."),
  reviewer("r-security", "Reviews the change for ways to misuse it."),
  reviewer("r-testing", "Reviews whether the tests would notice if the change were wrong."),
];
export const rKnowledge = doer({
  name: "r-knowledge",
  does: "Writes down what this run teaches, as proposals for people.",
  documents: true,
  ...knowledgeText,
});
export const rAggregator = judge({
  name: "r-aggregator",
  does: "Joins the reviews into one and says whether the feature is ready.",
  documents: true,
  ...aggregatorText("r-aggregator"),
});

import { defineRole, type Role } from "../../core/authoring/role.ts";
import { loadRolePrompt } from "../role-prompt.ts";
import { createLineContract, failUnless, type LineAnswer, type Status } from "./contracts.ts";

export type ClusterRole = Role<unknown, LineAnswer, true>;

const defineWith =
  (...allowed: readonly Status[]) =>
  (name: string, options: { readonly documents?: true } = {}): ClusterRole =>
    defineRole({
      ...loadRolePrompt(import.meta.url, name),
      ...options,
      contract: createLineContract(...allowed),
      fails: failUnless(...allowed),
      revises: ({ line }) => line === "NEEDS_REVISION",
      writes: true,
    });

/**
 * Defines a role that may answer DONE or ERROR.
 * @rule C-32 (declaration) An agent that may return only DONE or ERROR fails if it returns NEEDS_REVISION.
 */
const defineWorker = defineWith("DONE");
/** Defines a role that may also answer NEEDS_REVISION. Its aggregator receives that answer. */
const defineJudge = defineWith("DONE", "NEEDS_REVISION");
const DOCUMENTS = { documents: true } as const;

export const researcher = defineWorker("researcher", DOCUMENTS);
export const spec = defineWorker("spec", DOCUMENTS);
export const designer = defineWorker("designer", DOCUMENTS);
export const planner = defineWorker("planner", DOCUMENTS);
export const implementer = defineWorker("implementer");
export const documentationWriter = defineWorker("documentation-writer");

const CRITIC_NAMES = ["ct-security", "ct-scalability", "ct-maintainability", "ct-strategy"];
export const CRITICS: readonly ClusterRole[] = CRITIC_NAMES.map((name) => defineWorker(name, DOCUMENTS));
export const ctAggregator = defineJudge("ct-aggregator", DOCUMENTS);

export const vBuild = defineWorker("v-build");
export const VERIFIERS: readonly ClusterRole[] = ["v-tests", "v-tasks", "v-feature"].map((name) => defineJudge(name));
export const vAggregator = defineJudge("v-aggregator", DOCUMENTS);

const REVIEWER_NAMES = ["r-quality", "r-security", "r-testing"];
export const REVIEWERS: readonly ClusterRole[] = REVIEWER_NAMES.map((name) => defineJudge(name, DOCUMENTS));
export const rKnowledge = defineWorker("r-knowledge", DOCUMENTS);
export const rAggregator = defineJudge("r-aggregator", DOCUMENTS);

import type { Rule } from "../core/authoring/rule.ts";
import * as clusters from "./clusters/rules.ts";
import * as selfCheck from "./ledger/building/self-check.ts";
import * as ledger from "./ledger/rules.ts";
import * as phases from "./phases/rules.ts";
import * as roadmap from "./roadmap/rules.ts";
import * as task from "./task/rules.ts";
import * as ticket from "./ticket/rules.ts";

/** Rules of the built-in pipelines, by pipeline name. */
export const RULE_BOOK: Readonly<Record<string, readonly Rule[]>> = {
  task: collectRules(task),
  roadmap: collectRules(roadmap),
  phases: collectRules(phases),
  ledger: collectRules({ ...ledger, ...selfCheck }),
  clusters: collectRules(clusters),
  ticket: collectRules(ticket),
};

/** Collects the rules that a module exports, individually or in lists. */
function collectRules(exported: Readonly<Record<string, unknown>>): readonly Rule[] {
  const rules = new Set(Object.values(exported).flat().filter(isRule));
  return [...rules].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function isRule(value: unknown): value is Rule {
  return typeof value === "object" && value !== null && "id" in value && ("sql" in value || "judge" in value);
}

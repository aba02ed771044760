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
  task: rulesIn(task),
  roadmap: rulesIn(roadmap),
  phases: rulesIn(phases),
  ledger: rulesIn({ ...ledger, ...selfCheck }),
  clusters: rulesIn(clusters),
  ticket: rulesIn(ticket),
};

/** Collects the rules that a module exports, individually or in lists. */
function rulesIn(exported: Readonly<Record<string, unknown>>): readonly Rule[] {
  const rules = new Set(Object.values(exported).flat().filter(isRule));
  return [...rules].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function isRule(value: unknown): value is Rule {
  return typeof value === "object" && value !== null && "id" in value && ("sql" in value || "judge" in value);
}

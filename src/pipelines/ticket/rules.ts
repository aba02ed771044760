import type { Finding } from "../../core/finding.ts";
import { type Judgement, valueRule } from "../../core/rule.ts";
import type { Evidence } from "../../core/verbs.ts";
import type { Reviewed } from "./contracts.ts";

const DEFERRALS =
  /\b(confirm later|research later|need to research|further research required|figure out|where available|if different|determine later|TBD|TODO)\b/;
const EVIDENCE_HEADING = /^#+\s.*\b(evidence|research performed)\b/i;

/** Lines that put research off. Quotes, code, evidence sections and parts of names do not state anything. */
export function deferredIn(plan: string): string[] {
  let fenced = false;
  let evidence = false;
  return plan.split("\n").filter((line) => {
    if (line.trimStart().startsWith("```")) fenced = !fenced;
    if (/^#+\s/.test(line)) evidence = EVIDENCE_HEADING.test(line);
    if (fenced || evidence || line.trimStart().startsWith(">")) return false;
    const stated = line
      .replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, "")
      .replace(/\bTODO\s+(app|list|item)s?\b|\b[\w/-]*TODO[\w/.-]+/gi, "");
    return DEFERRALS.test(stated);
  });
}

export const PLAN = valueRule({
  id: "T-10",
  because: "a plan leaves no research for later",
  judge: ({ plan }: { plan: string }) => judged(deferredIn(plan).map((line) => `deferred: ${line.trim()}`)),
});

export type Worked = {
  readonly id: string;
  readonly status: "DONE" | "SYNTAX_ERROR" | "ERROR";
  readonly summary: string;
  readonly outside: readonly string[];
};

/** A developer's work counts when it is done and stayed inside its files. */
export const INSIDE = valueRule({
  id: "T-17",
  because: "a task changes its own files and nothing else",
  judge: ({ works }: { works: readonly Worked[] }) => {
    const findings = works.flatMap((work): Finding[] => [
      ...(work.status === "DONE" ? [] : [told(work.id, `${work.status}: ${work.summary}`)]),
      ...(work.outside.length > 0
        ? [{ ...told(work.id, `${work.id} changed files outside its list`), files: work.outside }]
        : []),
    ]);
    return { passed: findings.length === 0, findings };
  },
});

type Built = {
  readonly evidence?: Pick<Evidence, "passed" | "checks"> | undefined;
  readonly conflicts: readonly Finding[];
};

/** A project without commands is reported as not available to the reviewer; it never counts as red. */
export const GREEN = valueRule({
  id: "T-18",
  because: "the group builds and its tests pass",
  judge: ({ evidence, conflicts }: Built) => {
    const red = evidence?.checks.filter((check) => !check.passed && check.before !== false) ?? [];
    const findings = [...conflicts, ...red.map((check) => told("build", `${check.name} is red`))];
    return { passed: findings.length === 0, findings };
  },
});

export const ACCEPTED = valueRule({
  id: "T-22",
  because: "the reviewer accepts",
  judge: ({ report }: { report: Pick<Reviewed, "status" | "summary" | "findings"> }): Judgement => {
    if (report.status === "ACCEPTED") return { passed: true, findings: report.findings };
    const findings = report.findings.length > 0 ? report.findings : [told("Reviewer", report.summary || "rejected")];
    return { passed: false, findings };
  },
});

/** What the reviewer saw is what is committed, but for documents. */
export const ONLY_DOCS = valueRule({
  id: "T-24",
  because: "after the acceptance only documents changed, and the work was accepted",
  judge: ({ since, accepted }: { since: readonly string[]; accepted: boolean }) => {
    const others = since.filter((path) => !path.startsWith("docs/"));
    return {
      ...judged(others.map((path) => `${path} changed after the acceptance`)),
      passed: accepted && others.length === 0,
    };
  },
});

const told = (by: string, message: string): Finding => ({ severity: "major", message, by });

function judged(problems: readonly string[]): Judgement {
  return { passed: problems.length === 0, findings: problems.map((message) => ({ severity: "major", message })) };
}

const ENTRY_POINTS = /(^|\/)(package\.json|Cargo\.toml|go\.mod|pyproject\.toml|pom\.xml|index\.\w+|main\.\w+|mod\.rs)$/;

/** Whether what changed makes the architecture documents stale. */
export function changesArchitecture(changes: readonly { readonly path: string; readonly status: string }[]): boolean {
  return changes.some(
    ({ path, status }) => ENTRY_POINTS.test(path) || (status !== "modified" && path.split("/").length > 2),
  );
}

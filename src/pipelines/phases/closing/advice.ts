import { collapseWhitespace } from "../../commit-text.ts";
import type { CodeVerdict } from "../contracts.ts";
import type { Progress } from "../progress.ts";
import { listBlockingIssues, type ReviewVerdict } from "../review/code-review.ts";

type Issue = CodeVerdict["issues"][number];
const BY_WEIGHT: readonly Issue["severity"][] = ["CRITICAL", "MAJOR", "MINOR"];

/**
 * Lists open review issues that did not block, most severe first, for the person who commits. Issues that the reviewer
 * rejected are left out.
 */
export function listOpenAdvice({ done }: Pick<Progress, "done">, final: ReviewVerdict | undefined): readonly string[] {
  const phases = [...done.values()].flatMap(({ phase, verdicts }) =>
    verdicts.slice(-1).flatMap((verdict) => collectAdvice(verdict, `review of phase ${phase.phase_id}`)),
  );
  const all = [...(final ? collectAdvice(final, "final review") : []), ...phases];
  const once = all.filter(({ said }, at) => all.findIndex((other) => other.said === said) === at);
  return once.toSorted((a, b) => BY_WEIGHT.indexOf(a.severity) - BY_WEIGHT.indexOf(b.severity)).map(({ line }) => line);
}

function collectAdvice(verdict: ReviewVerdict, where: string) {
  const blocking = new Set(listBlockingIssues(verdict).map(({ description }) => description));
  return verdict.issues
    .filter(({ description, validation_status: validation }) => validation !== "rejected" && !blocking.has(description))
    .map((issue) => ({
      severity: issue.severity,
      said: collapseWhitespace(issue.description),
      line: formatAdviceLine(issue, where),
    }));
}

function formatAdviceLine(
  { severity, description, file, validation_status: validation }: Issue,
  where: string,
): string {
  const open = severity !== "MINOR" && validation !== "confirmed" ? ", not validated" : "";
  return `${severity.toLowerCase()}${open}: ${collapseWhitespace(description)} (${[...(file ? [file] : []), where].join(", ")})`;
}

/** Summaries of rework executors, including what they did not settle. */
export const listReworkSummaries = ({ done }: Pick<Progress, "done">): readonly string[] =>
  [...done.values()].flatMap(({ phase, reworks = [] }) =>
    reworks
      .filter(({ summary }) => summary !== "")
      .map(
        ({ summary }) =>
          `${phase.executor_agent ?? "no executor"}, phase ${phase.phase_id}: ${collapseWhitespace(summary)}`,
      ),
  );

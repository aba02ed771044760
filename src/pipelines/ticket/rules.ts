import type { Finding } from "../../core/authoring/finding.ts";
import { type Judgement, valueRule } from "../../core/authoring/rule.ts";
import type { Evidence } from "../../core/authoring/verbs.ts";
import { createCheckFinding } from "../check-finding.ts";
import type { Mandate, ReviewReport, TaskStatus, ValidationPolicy } from "./contracts.ts";
import { isJudged } from "./files/documents.ts";

const DEFERRALS = [
  /\b(confirm later|research later|need to research|to be researched|further research required|figure out|where available|if different|determine later)\b/i,
  // Lower-case words may be names; as a marker they are upper-case or followed by a colon.
  /\b(TBD|TODO)\b|\b[Tt](bd|odo)\s*:/,
];
const EVIDENCE_HEADING = /^#+\s.*\b(evidence|research performed)\b/i;
const HEADING = /^#+\s/;
/** A reference to a TODO in the code is not a deferral, unless it says what remains to be done. */
const KNOWN_TODO =
  /(?:\b(?:the|this|that|its|no|any|each|every|without|existing)|['’]s)(?:\s(?:old|existing|present|open|only|last|same|other))?\sTODO\b(?!\s*:|\s(?:is )?to\b)/gi;
/** A TODO found at a place. Adding one is a deferral. */
const FOUND_TODO =
  /(?<!\b(?:add|leave|leaving|put|write|insert|place|set|keep|as|with)\s)\ban?\sTODO\s(?:in|at|on|above|below|near|beside|inside|from)\b/gi;

/** Lists the lines that defer research. Quotes, code and parts of names do not count. */
export function listDeferrals(plan: string): string[] {
  let fenced = false;
  let evidence = false;
  const lines = plan.split("\n");
  const inEvidence = new Set<number>();
  const said = lines.map((line, at) => {
    const fence = /^\s*(```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    if (!fenced && HEADING.test(line)) evidence = EVIDENCE_HEADING.test(line);
    if (evidence) inEvidence.add(at);
    return fence || fenced || line.trimStart().startsWith(">") ? "" : removeQuotes(line);
  });
  const claims = hideMentions(said);
  return lines.filter((_, at) => {
    const claim = claims[at] ?? "";
    return inEvidence.has(at) ? isDeferralInEvidence(claim) : DEFERRALS.some((words) => words.test(claim));
  });
}

/** In an evidence section, only the planner's own statements count, because it reports what sources say. */
function isDeferralInEvidence(claim: string): boolean {
  const sentences = claim.split(/(?<=[.!?;])\s+/);
  return sentences.some((sentence) => {
    if (QUOTED_SOURCE.test(sentence)) return false;
    if (OPEN_STATE.test(sentence) || OWN_DEFERRAL.test(sentence)) return true;
    return MARK.test(sentence) && !FOUND_MARK.test(sentence);
  });
}

/** `The header says: determine later` */
const QUOTED_SOURCE = /\b(?:says?|said|reads?|states?|mentions?|comments?|marked|matche[sd])\b/i;
/** `The port is TBD` */
const OPEN_STATE =
  /(?<!\b(?:[Nn]othing|[Nn]one|[Nn]o \w+) )\b(?:is|are|remains?|stays?|be|still)\s+(?:still\s+)?(?:an?\s+)?(?:TBD|TODO)\b/;
/** `we will confirm later`; `parse() tries to figure out the port` is a fact about the code. */
const OWN_DEFERRAL =
  /\b(?:(?:confirm|research|determine)(?:ed)? later|need to research|to be researched|further research (?:is )?required)\b|\b(?:we|I|will|must|have to|needs? to|still|remains? to)\b.*\bfigure out\b/i;
const MARK = /\b(?:TBD|TODO)\b/;
/** `TODO was found in a.ts`, `src/a.ts:12: TODO support ports`, `grep for TBD: nothing`, `No TBD is left` */
const FOUND_MARK =
  /\b(?:found|contains?|grep|search(?:ed)?|no|nothing|none|without)\b|\w\.[a-z]{1,4}\b.*\b(?:TBD|TODO)\b|\b(?:TBD|TODO)\b.*\b(?:in|at) \S*\w\.[a-z]{1,4}\b/i;

/** Blanks out mentions across line breaks and keeps the line positions. */
function hideMentions(lines: readonly string[]): string[] {
  const hideText = (mention: string) => mention.replace(/\S/g, " ");
  return lines.join("\n").replace(KNOWN_TODO, hideText).replace(FOUND_TODO, hideText).split("\n");
}

/** Removes quotes, code, and names that contain such a word. */
function removeQuotes(line: string): string {
  return line
    .replace(/`[^`]*`|"[^"]*"|“[^”]*”|'[^'\s][^']*'/g, " ")
    .replace(/\b(todo|tbd)[\s-]+(app|list|item|page|entr(y|ies)|card|comment)s?\b/gi, " ")
    .replace(/[\w./-]*(todo|tbd)[\w/-]+|[\w./-]*[\w/-](todo|tbd)\b|\b(todo|tbd)\.\w+/gi, " ")
    .replace(/[ \t]+/g, " ")
    .trim();
}

/**
 * @rule T-10 (gate) A plan that defers research, outside quotes, code and evidence sections, ends the run with the
 *   lines that do.
 */
export const PLAN = valueRule({
  id: "T-10",
  because: "the plan must not defer research",
  judge: ({ plan }: { plan: string }) => toJudgement(listDeferrals(plan).map((line) => `deferred: ${line.trim()}`)),
});

/**
 * A mandate must be a substring of the person's request.
 * @rule T-06 (gate) Tool mandates are preserved verbatim.
 */
export const VERBATIM = valueRule({
  id: "T-06",
  because: "tool mandates must be verbatim",
  judge: ({ mandates, request }: { mandates: readonly Mandate[]; request: string }) => {
    const changed = mandates.filter(({ text }) => !request.includes(text));
    return toJudgement(changed.map(({ text }) => `the request does not contain "${text}"`));
  },
});

/**
 * A file that existed before the attempt does not count as its output.
 * @rule T-39 (gate) A declared output counts only if it exists, can be parsed and was written by this attempt; without
 *   `plan.md` the run stops.
 */
export const OWN_OUTPUT = valueRule({
  id: "T-39",
  because: "declared outputs must be written by this attempt",
  judge: ({ changed, outputs }: { changed: readonly string[]; outputs: readonly string[] }) =>
    toJudgement(
      outputs.filter((path) => !changed.includes(path)).map((path) => `${path} was not written by this attempt`),
    ),
});

export type TaskResult = {
  readonly id: string;
  readonly status: "DONE" | "SYNTAX_ERROR" | "ERROR";
  readonly summary: string;
  /** Paths changed without permission; they were discarded. */
  readonly outside: readonly string[];
  readonly scope: ValidationPolicy["baseline_scope"];
};

/** Returns the changes outside a task's files: code and tests only, unless the policy says `all`. */
export const listStrayFiles = ({ outside, scope }: Pick<TaskResult, "outside" | "scope">): readonly string[] =>
  outside.filter((path) => isJudged(path, scope));

/**
 * @rule T-17 (gate) A change outside a task's files and the allowlist rejects the task with the paths, and the change
 *   is discarded.
 */
export const INSIDE = valueRule({
  id: "T-17",
  because: "a task may change only its own files",
  judge: ({ works }: { works: readonly TaskResult[] }) => {
    const stray = works.filter((work) => listStrayFiles(work).length > 0);
    const findings = stray.map((work): Finding => {
      const files = listStrayFiles(work);
      return {
        ...createMajorFinding(work.id, `${work.id} changed files outside its list: ${files.join(", ")}`),
        files,
      };
    });
    return { passed: findings.length === 0, findings };
  },
});

/** @rule T-45 (gate) A group with a task in SYNTAX_ERROR or ERROR is not built or tested. */
export const SOUND = valueRule({
  id: "T-45",
  because: "a group is built only if every task is DONE and parses",
  judge: ({ works }: { works: readonly TaskResult[] }) => {
    const bad = works.filter(({ status }) => status !== "DONE");
    return {
      passed: bad.length === 0,
      findings: bad.map(({ id, status, summary }) =>
        createMajorFinding(id, `${status}: ${summary || "the Developer gave no reason"}`),
      ),
    };
  },
});

/** Work that changed nothing is not done, whatever anyone reports. */
export const CHANGED = valueRule({
  id: "A-30",
  because: "accepted work must change something",
  judge: ({ changed }: { changed: readonly string[] }) =>
    toJudgement(changed.length === 0 ? ["nothing was changed"] : []),
});

type BuildResult = {
  readonly evidence?:
    | (Pick<Evidence, "passed" | "checks" | "tamper"> & Partial<Pick<Evidence, "regressions" | "findings">>)
    | undefined;
  readonly conflicts: readonly Finding[];
};

/**
 * Commands that do not exist are reported as not available and count neither as red nor as green.
 * @rule T-18 (gate) A parallel group has one build and test run. Green → ACCEPTED; red rejects the tasks that the
 *   failure names.
 */
export const GREEN = valueRule({
  id: "T-18",
  because: "the group must build and pass its tests",
  judge: ({ evidence, conflicts }: BuildResult) => {
    const red = evidence?.checks.filter(isRed) ?? [];
    const tamper = evidence?.tamper ?? [];
    const findings = [...conflicts, ...tamper, ...red.map((check) => createCheckFinding(check, "build"))];
    return { passed: findings.length === 0, findings };
  },
});

export const isRed = ({ outcome }: Evidence["checks"][number]): boolean =>
  outcome === "failed" || outcome === "regression" || outcome === "not-run";

/**
 * @rule T-49 (gate) The iteration is reviewed after all tasks of all groups are ACCEPTED. Only the statuses ACCEPTED
 *   and REJECTED are a verdict.
 */
export const ALL_ACCEPTED = valueRule({
  id: "T-49",
  because: "the whole is reviewed only if every task is ACCEPTED",
  judge: ({ statuses }: { statuses: Readonly<Record<string, TaskStatus>> }) => {
    const open = Object.entries(statuses).filter(([, status]) => status !== "ACCEPTED");
    return toJudgement(open.map(([id, status]) => `${id} is ${status}`));
  },
});

/** @rule T-22 (gate) The Reviewer accepts or rejects; the next iteration plans from the report of a rejection. */
export const ACCEPTED = valueRule({
  id: "T-22",
  because: "the reviewer must accept, with every criterion met and no critical finding",
  judge: ({ report }: { report: Pick<ReviewReport, "status" | "summary" | "findings" | "criteria"> }): Judgement => {
    const unmet = report.criteria.filter(({ met }) => !met);
    const passed = report.status === "ACCEPTED" && unmet.length === 0 && !report.findings.some(isBlocking);
    const untold = listUnmetCriteria(report).map((message) => createMajorFinding("Reviewer", message));
    const findings = [...report.findings.map((finding) => ({ ...finding, by: "Reviewer" })), ...untold];
    if (passed || findings.length > 0) return { passed, findings };
    return { passed, findings: [createMajorFinding("Reviewer", report.summary || "rejected")] };
  },
});

/**
 * Returns unmet criteria as findings, unless the reviewer has a serious finding for each of them, which would count the
 * fault twice.
 */
export function listUnmetCriteria({
  criteria,
  findings,
}: Pick<ReviewReport, "criteria" | "findings">): readonly string[] {
  const unmet = criteria.filter(({ met }) => !met).map(({ criterion }) => `not met: ${criterion}`);
  const grave = findings.filter(({ severity }) => severity !== "minor");
  return grave.length >= unmet.length ? [] : unmet;
}

/** Severities that reject the work, whatever the status. */
const isBlocking = ({ severity }: Pick<Finding, "severity">): boolean =>
  severity === "blocker" || severity === "critical";

/** The committed tree equals the reviewed one, except for documents. */
export const ONLY_DOCS = valueRule({
  id: "T-24",
  because: "after acceptance only documents may change",
  judge: ({ since, accepted }: { since: readonly string[]; accepted: boolean }) => {
    const others = since.filter((path) => !path.startsWith("docs/"));
    return {
      ...toJudgement(others.map((path) => `${path} changed after the acceptance`)),
      passed: accepted && others.length === 0,
    };
  },
});

const createMajorFinding = (by: string, message: string): Finding => ({ severity: "major", message, by });

function toJudgement(problems: readonly string[]): Judgement {
  return { passed: problems.length === 0, findings: problems.map((message) => ({ severity: "major", message })) };
}

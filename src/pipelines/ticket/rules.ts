import type { Finding } from "../../core/authoring/finding.ts";
import { type Judgement, valueRule } from "../../core/authoring/rule.ts";
import type { Evidence } from "../../core/authoring/verbs.ts";
import { findingOf } from "../check-finding.ts";
import type { Mandate, ReviewReport, TaskStatus, ValidationPolicy } from "./contracts.ts";
import { isJudged } from "./files/documents.ts";

const DEFERRALS = [
  /\b(confirm later|research later|need to research|to be researched|further research required|figure out|where available|if different|determine later)\b/i,
  // In small letters they are also the name of a thing; as a mark they shout, or stand before a colon.
  /\b(TBD|TODO)\b|\b[Tt](bd|odo)\s*:/,
];
const EVIDENCE_HEADING = /^#+\s.*\b(evidence|research performed)\b/i;
const HEADING = /^#+\s/;
/** A sentence about a TODO that stands in the code says nothing of the plan, unless it says what is to be done. */
const KNOWN_TODO =
  /(?:\b(?:the|this|that|its|no|any|each|every|without|existing)|['’]s)(?:\s(?:old|existing|present|open|only|last|same|other))?\sTODO\b(?!\s*:|\s(?:is )?to\b)/gi;
/** Somebody found it at a place; whoever leaves one there puts something off. */
const FOUND_TODO =
  /(?<!\b(?:add|leave|leaving|put|write|insert|place|set|keep|as|with)\s)\ban?\sTODO\s(?:in|at|on|above|below|near|beside|inside|from)\b/gi;

/** Lists the lines that put research off. Quotes, code and parts of names state nothing. */
export function deferredIn(plan: string): string[] {
  let fenced = false;
  let evidence = false;
  const lines = plan.split("\n");
  const inEvidence = new Set<number>();
  const said = lines.map((line, at) => {
    const fence = /^\s*(```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    if (!fenced && HEADING.test(line)) evidence = EVIDENCE_HEADING.test(line);
    if (evidence) inEvidence.add(at);
    return fence || fenced || line.trimStart().startsWith(">") ? "" : stated(line);
  });
  const claims = withoutMentions(said);
  return lines.filter((_, at) => {
    const claim = claims[at] ?? "";
    return inEvidence.has(at) ? defersInEvidence(claim) : DEFERRALS.some((words) => words.test(claim));
  });
}

/** An evidence section reports what sources say, so only a sentence that the planner states itself counts there. */
function defersInEvidence(claim: string): boolean {
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

/** A sentence may go on in the next line, so all of them are read at once, and each stays where it is. */
function withoutMentions(lines: readonly string[]): string[] {
  const blank = (mention: string) => mention.replace(/\S/g, " ");
  return lines.join("\n").replace(KNOWN_TODO, blank).replace(FOUND_TODO, blank).split("\n");
}

/** Without what is quoted or is code, and without names that only contain such a word. */
function stated(line: string): string {
  return line
    .replace(/`[^`]*`|"[^"]*"|“[^”]*”|'[^'\s][^']*'/g, " ")
    .replace(/\b(todo|tbd)[\s-]+(app|list|item|page|entr(y|ies)|card|comment)s?\b/gi, " ")
    .replace(/[\w./-]*(todo|tbd)[\w/-]+|[\w./-]*[\w/-](todo|tbd)\b|\b(todo|tbd)\.\w+/gi, " ")
    .replace(/[ \t]+/g, " ")
    .trim();
}

/** @rule T-10 (gate) A plan that postpones research ends the run, with the lines that do. */
export const PLAN = valueRule({
  id: "T-10",
  because: "a plan leaves no research for later",
  judge: ({ plan }: { plan: string }) => judged(deferredIn(plan).map((line) => `deferred: ${line.trim()}`)),
});

/**
 * A mandate is the person's, so it stands in the request word by word.
 * @rule T-06 (gate) A tool that a person insists on stays in that person's words.
 */
export const VERBATIM = valueRule({
  id: "T-06",
  because: "tool mandates are kept as they were said",
  judge: ({ mandates, request }: { mandates: readonly Mandate[]; request: string }) => {
    const changed = mandates.filter(({ text }) => !request.includes(text));
    return judged(changed.map(({ text }) => `the request does not say "${text}"`));
  },
});

/**
 * An output that was there before the agent came is not its output.
 * @rule T-39 (gate) An output is there, can be read, and was made by this attempt; without a plan the run ends.
 */
export const OWN_OUTPUT = valueRule({
  id: "T-39",
  because: "what an agent delivers was made by this attempt",
  judge: ({ changed, outputs }: { changed: readonly string[]; outputs: readonly string[] }) =>
    judged(outputs.filter((path) => !changed.includes(path)).map((path) => `${path} was not written by this attempt`)),
});

export type TaskResult = {
  readonly id: string;
  readonly status: "DONE" | "SYNTAX_ERROR" | "ERROR";
  readonly summary: string;
  /** Paths that it changed and may not; they were not taken. */
  readonly outside: readonly string[];
  readonly scope: ValidationPolicy["baseline_scope"];
};

/** Where a task was worked on beside its files: code and tests only, unless the policy says all. */
export const strayed = ({ outside, scope }: Pick<TaskResult, "outside" | "scope">): readonly string[] =>
  outside.filter((path) => isJudged(path, scope));

/** @rule T-17 (gate) A task that strays from its files is rejected with the paths, and nothing strayed is merged. */
export const INSIDE = valueRule({
  id: "T-17",
  because: "a task changes its own files and nothing else",
  judge: ({ works }: { works: readonly TaskResult[] }) => {
    const stray = works.filter((work) => strayed(work).length > 0);
    const findings = stray.map((work): Finding => {
      const files = strayed(work);
      return { ...told(work.id, `${work.id} changed files outside its list: ${files.join(", ")}`), files };
    });
    return { passed: findings.length === 0, findings };
  },
});

/** @rule T-45 (gate) A group with a failed or unreadable task is not built. */
export const SOUND = valueRule({
  id: "T-45",
  because: "a group is built only when each of its tasks was done and can be read",
  judge: ({ works }: { works: readonly TaskResult[] }) => {
    const bad = works.filter(({ status }) => status !== "DONE");
    return {
      passed: bad.length === 0,
      findings: bad.map(({ id, status, summary }) =>
        told(id, `${status}: ${summary || "the Developer gives no reason"}`),
      ),
    };
  },
});

/** Work that changed nothing is not done, whatever it says and whoever accepts it. */
export const CHANGED = valueRule({
  id: "A-30",
  because: "what is accepted differs from what it started from",
  judge: ({ changed }: { changed: readonly string[] }) => judged(changed.length === 0 ? ["nothing was changed"] : []),
});

type BuildResult = {
  readonly evidence?:
    | (Pick<Evidence, "passed" | "checks" | "tamper"> & Partial<Pick<Evidence, "regressions" | "findings">>)
    | undefined;
  readonly conflicts: readonly Finding[];
};

/**
 * A project without commands is reported as not available to the reviewer; it counts neither as red nor as green.
 * @rule T-18 (gate) A parallel group is built and tested once, as a whole; red goes back to whom the failure names.
 */
export const GREEN = valueRule({
  id: "T-18",
  because: "the group builds and its tests pass",
  judge: ({ evidence, conflicts }: BuildResult) => {
    const red = evidence?.checks.filter(isRed) ?? [];
    const tamper = evidence?.tamper ?? [];
    const findings = [...conflicts, ...tamper, ...red.map((check) => findingOf(check, "build"))];
    return { passed: findings.length === 0, findings };
  },
});

export const isRed = ({ outcome }: Evidence["checks"][number]): boolean =>
  outcome === "failed" || outcome === "regression" || outcome === "not-run";

/** @rule T-49 (gate) The whole is reviewed when every task was accepted, and only two words are a verdict. */
export const ALL_ACCEPTED = valueRule({
  id: "T-49",
  because: "the whole is reviewed when every task of every group was accepted",
  judge: ({ statuses }: { statuses: Readonly<Record<string, TaskStatus>> }) => {
    const open = Object.entries(statuses).filter(([, status]) => status !== "ACCEPTED");
    return judged(open.map(([id, status]) => `${id} is ${status}`));
  },
});

/** @rule T-22 (gate) A Reviewer accepts or rejects; a rejection is what the next iteration plans from. */
export const ACCEPTED = valueRule({
  id: "T-22",
  because: "the reviewer accepts, no criterion is left unmet, and no finding has to be repaired first",
  judge: ({ report }: { report: Pick<ReviewReport, "status" | "summary" | "findings" | "criteria"> }): Judgement => {
    const unmet = report.criteria.filter(({ met }) => !met);
    const passed = report.status === "ACCEPTED" && unmet.length === 0 && !report.findings.some(isBlocking);
    const untold = untoldIn(report).map((message) => told("Reviewer", message));
    const findings = [...report.findings.map((finding) => ({ ...finding, by: "Reviewer" })), ...untold];
    if (passed || findings.length > 0) return { passed, findings };
    return { passed, findings: [told("Reviewer", report.summary || "rejected")] };
  },
});

/**
 * Criteria that are not met, for whoever mends it. A reviewer who has a grave finding for each of them has said what is
 * wrong, and where: to say it again by the name of the criterion would make two faults of one.
 */
export function untoldIn({ criteria, findings }: Pick<ReviewReport, "criteria" | "findings">): readonly string[] {
  const unmet = criteria.filter(({ met }) => !met).map(({ criterion }) => `not met: ${criterion}`);
  const grave = findings.filter(({ severity }) => severity !== "minor");
  return grave.length >= unmet.length ? [] : unmet;
}

/** Whoever finds one of these has not accepted, whatever word stands above it. */
const isBlocking = ({ severity }: Pick<Finding, "severity">): boolean =>
  severity === "blocker" || severity === "critical";

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

import type { CommitOptions } from "../core/authoring/verbs.ts";
import { isTestWork } from "../core/checks/exam/exam-path.ts";

/** Kinds of work that an agent may state. */
export const WORK_KINDS = ["fix", "feature", "refactor", "docs", "other"] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** Kinds of work that a person may state: `--input kind=…`, or `kind` of a roadmap item. */
export const REQUEST_KINDS = ["fix", "feature", "refactor", "docs", "chore"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

type WorkRequest = {
  readonly request: string;
  /** Stated by a person. */
  readonly kind?: RequestKind | undefined;
};

type DeliveredWork = {
  /** Kinds that agents stated for parts of the work. */
  readonly parts: readonly { readonly kind?: WorkKind | undefined }[];
  /** True if a person approved the plan that states them. */
  readonly approved?: boolean;
  /** Changed paths, if known. */
  readonly changed?: readonly string[];
};

type WorkDeclaration = Pick<CommitOptions, "declared" | "assumed">;

/**
 * Returns the kind that the exam uses: a person's statement, then the request's words, then the approved plan.
 * @rule A-37 (policy) A person or an approved plan states the kind of work. An agent's own label grants no exemption
 *   from the red test, and work without a stated kind counts as a feature.
 */
export function declareWork(
  { request, kind }: WorkRequest,
  { parts, approved, changed }: DeliveredWork,
): WorkDeclaration {
  const stated = kind ?? readRequestKind(request, changed);
  if (stated !== undefined) return stated === "fix" || stated === "feature" ? { declared: stated } : {};
  const labelled = (["feature", "fix"] as const).find((word) => parts.some((part) => part.kind === word));
  if (labelled !== undefined) return { declared: labelled };
  const isLabelled = parts.length > 0 && parts.every((part) => part.kind !== undefined);
  return approved && isLabelled ? {} : { declared: "feature", assumed: true };
}

/** Tells the approver of a plan that a task's kind exempts it from the red test. */
export function describeExemption(kind: WorkKind | undefined): readonly string[] {
  return kind === undefined || kind === "fix" || kind === "feature"
    ? []
    : [`kind: ${kind}, so no test is required that fails without it`];
}

/** Reads the kind from the request's prefix or first verb. */
export function readRequestKind(request: string, changed: readonly string[] = []): RequestKind | undefined {
  const text = request.replace(OPENING, "");
  const [, prefix = ""] = PREFIX.exec(text) ?? [];
  const prefixed = PREFIXES[prefix.toLowerCase()];
  if (prefixed !== undefined) return prefixed;
  const kind = isAboutDocuments(text, changed) ? "docs" : (findVerbKind(text) ?? findTestKind(text, changed));
  return kind !== undefined && kind !== "fix" && asksForCodeToo(text) ? undefined : kind;
}

function findVerbKind(text: string): RequestKind | undefined {
  return VERBS.find(([verb]) => verb.test(text))?.[1];
}

/** Returns `chore` for a request that mentions tests if nothing but tests changed. */
function findTestKind(text: string, changed: readonly string[]): RequestKind | undefined {
  const isTestWorkOnly = changed.length > 0 && changed.every(isTestWork);
  return isTestWorkOnly && ABOUT_TESTS.test(text) && !ABOUT_RESULTS.test(text) ? "chore" : undefined;
}

/** Not "with tests" and "and a test", which ask for something else first. */
const ABOUT_TESTS =
  /(?<!\b(?:with|and|plus|including|its|their)\s+(?:[\w'’-]+\s+){0,2})\b(?:tests?|specs?|subtests?|golden|snapshots?|fixtures?|assertions?)\b/i;
const ABOUT_RESULTS = /\b(?:pass(?:es|ing)?|green|succeeds?|fail\w*|red|fix|repair)\b/i;

/**
 * "Update the README and add half": what comes first must not spare the rest the red test. A clause about tests, documents
 * or names asks for no code.
 */
function asksForCodeToo(text: string): boolean {
  const [, ...clauses] = text.split(/[,;.\n]?\s+(?:and(?:\s+then|\s+also)?|then|also)\s+|[;.]\s+/i);
  return clauses.some((clause) => {
    if (!CHANGES_CODE.test(clause) || ABOUT_TEXT.test(clause)) return false;
    const kind = readRequestKind(clause);
    return kind === undefined || kind === "fix";
  });
}

const CHANGES_CODE =
  /^(?:fix|repair|mend|correct|resolve|add|implement|build|create|introduce|support|let|make|allow|enable|return|export)\b/i;
const ABOUT_TEXT =
  /\b(?:tests?|specs?|readme|docs?|documentation|comments?|examples?|typos?|links?|wording|names?|imports?|references?|callers?|types?|sections?|notes?|readable|clear(?:er)?|simpl\w+|short(?:er)?|consistent|plain(?:er)?)\b/i;

const OPENING = /^\W*(?:[A-Z]+-\d+\b\s*[:,–—-]*\s*)?(?:(?:please|kindly|can you|could you|would you)\s+)*/i;
const PREFIX = /^([a-z]+)(?:\([^)\n]*\))?!?:\s/i;

const PREFIXES: Readonly<Partial<Record<string, RequestKind>>> = {
  ...{ fix: "fix", bug: "fix", bugfix: "fix", hotfix: "fix", feat: "feature", feature: "feature" },
  ...{ doc: "docs", docs: "docs", refactor: "refactor", perf: "refactor", style: "refactor" },
  ...{ chore: "chore", build: "chore", ci: "chore", test: "chore", tests: "chore", deps: "chore", revert: "chore" },
};

const DOCUMENTS =
  "(?:readme|docs?|documentation|changelog|contributing|licen[cs]e|comments?|docstrings?|jsdoc|guides?|tutorials?|faq)";
const QUALIFIER = "(?:(?!(?:for|that|which|to|of|in|with|from|by)\\b)[\\w'’-]+\\s+){0,2}";
const WRITE =
  "(?:add|write|update|edit|improve|extend|fix|correct|polish|clean up|reword|rewrite|mend|repair|say|state|note|mention|explain|describe|list)";

/** "Update the README", "Add an example to the docs"; not "Add a parser for comments". */
const WRITES_DOCUMENTS = new RegExp(
  `^${WRITE}\\s+${QUALIFIER}(?:${DOCUMENTS}(?:\\.\\w+)?(?:\\s*(?:$|[.,;:!\\n])|\\s+(?:for|of|on|about|in|with|so|to|and)\\b)` +
    `|(?:[\\w'’-]+\\s+){0,6}?(?:in|to|of|into)\\s+(?:the\\s+|our\\s+)?${DOCUMENTS}\\b)`,
  "i",
);
const DESCRIBES = /^(?:document|proofread)\b/i;
const MENDS_WORDS = /\b(?:typos?|spelling|wording|grammar|describe|explain|links?)\b/i;
const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt)$/i;

/** Returns whether the request is about documents. If only documents changed, a wording correction is. */
function isAboutDocuments(text: string, changed: readonly string[]): boolean {
  if (DESCRIBES.test(text) || WRITES_DOCUMENTS.test(text)) return true;
  return changed.length > 0 && changed.every((path) => DOCUMENT.test(path)) && MENDS_WORDS.test(text);
}

const VERBS: readonly (readonly [RegExp, RequestKind])[] = [
  [/^(?:fix|repair|mend|correct|resolve)\b/i, "fix"],
  [/^(?:refactor|rename|restructure|reorgani[sz]e|tidy|clean(?: ?up)?|deduplicate|simplify|reformat)\b/i, "refactor"],
  [
    /^(?:add|write|extend|improve)\s+(?:(?!(?:with|and|for|to)\b)[\w'’-]+\s+){0,3}?tests?\b(?!\s+(?:command|runner|helper|mode))/i,
    "chore",
  ],
  [/^use\b[^.\n]*\bin (?:the|all) (?:tests|specs)\b/i, "chore"],
  [/^use\s+(?:[\w'’-]+\s+){0,3}?(?:subtests?|assertions?|fixtures?|snapshots?)\b/i, "chore"],
  [/^test\s+(?:that|the|how|what|whether)\b/i, "chore"],
  [
    /^(?:give|group|merge|move|put|reorder|rewrite|share|sort|split|use|write)\s+(?:(?!(?:with|and)\b)[\w'’-]+\s+){0,6}?(?:tests|specs)\b(?!.*\b(?:pass|green|succeed)\b)/i,
    "chore",
  ],
  [/^(?:bump|upgrade|downgrade|pin|release|revert)\b/i, "chore"],
  [
    /^(?:remove|delete|drop)\b[^.\n]*\b(?:unused|dead|deprecated|obsolete|nobody uses|(?:no longer|not|never) used)\b/i,
    "chore",
  ],
  [/^update\s+(?:[\w'’-]+\s+){0,3}?(?:dependenc(?:y|ies)|deps|packages?|lock ?files?|versions?)\b/i, "chore"],
];

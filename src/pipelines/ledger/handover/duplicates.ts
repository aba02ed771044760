import { type Finding, SEVERITIES } from "../../../core/authoring/finding.ts";

/** Two findings are the same if this share of the shorter one's words occurs in the other. */
const ALIKE = 0.8;

/** Merges findings that several reviewers reported: one finding, all authors, the highest severity. */
export function mergeDuplicates(findings: readonly Finding[]): readonly Finding[] {
  const kept: Finding[] = [];
  for (const finding of findings) {
    const at = kept.findIndex((each) => isSameFinding(each, finding));
    const twin = kept[at];
    if (twin) kept[at] = mergeFindings(twin, finding);
    else kept.push(finding);
  }
  return kept;
}

function isSameFinding(one: Finding, other: Finding): boolean {
  const [mine, theirs] = [one.files ?? [], other.files ?? []];
  const elsewhere = mine.length > 0 && theirs.length > 0 && !mine.some((path) => theirs.includes(path));
  if (elsewhere) return false;
  const [fewer, more] = [splitWords(one.message), splitWords(other.message)].sort((a, b) => a.size - b.size);
  if (!fewer || !more || fewer.size === 0) return one.message === other.message;
  return [...fewer].filter((word) => more.has(word)).length / fewer.size >= ALIKE;
}

function mergeFindings(one: Finding, other: Finding): Finding {
  const [shorter, longer] = [one.message, other.message].sort((a, b) => a.length - b.length);
  const files = combineLists(one.files, other.files);
  const tests = combineLists(one.tests, other.tests);
  const by = combineLists(one.by?.split(", "), other.by?.split(", "));
  return {
    ...one,
    ...other,
    message: combineMessages(shorter ?? "", longer ?? ""),
    severity: SEVERITIES.find((each) => each === one.severity || each === other.severity) ?? one.severity,
    ...(files.length > 0 && { files }),
    ...(tests.length > 0 && { tests }),
    ...(by.length > 0 && { by: by.join(", ") }),
  };
}

/** Combines two messages; the shorter one is appended if it contains words of its own. */
function combineMessages(shorter: string, longer: string): string {
  const said = splitWords(longer);
  return [...splitWords(shorter)].every((word) => said.has(word)) ? longer : `${longer}; or: ${shorter}`;
}

const combineLists = (one: readonly string[] = [], other: readonly string[] = []): string[] => [
  ...new Set([...one, ...other]),
];

const splitWords = (message: string): ReadonlySet<string> => new Set(message.toLowerCase().match(/[\p{L}\p{N}_.]+/gu));

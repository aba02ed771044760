import type { Finding } from "../../../core/authoring/finding.ts";

/** Severity words and the severity that the tables count them as. */
const SEVERITIES: Readonly<Record<string, Finding["severity"]>> = {
  blocker: "blocker",
  blocking: "blocker",
  critical: "critical",
  high: "major",
  major: "major",
  medium: "minor",
  low: "minor",
  minor: "minor",
};
const WORD = Object.keys(SEVERITIES).join("|");

/** `- [Major] …`, `### Critical: …`, `- **High** — …`, `[Severity: Low] …`, `Severity: Blocker`, `| Major | … |`. */
const FINDING = new RegExp(
  `^\\s*(?:[-*+]|\\d+[.)]|#{1,6}|\\|)?\\s*[*_\`]*` +
    `(?:\\[\\s*(?:severity\\s*:\\s*)?(?<boxed>${WORD})\\s*\\][*_\`]*\\s*[:—–-]?` +
    `|severity[*_\`]*\\s*[:=|][*_\`\\s]*(?<named>${WORD})\\b[*_\`]*\\s*[|.,;—–-]?` +
    `|(?<plain>${WORD})[*_\`]*\\s*[:—–|])` +
    `(?<rest>.*)$`,
  "i",
);
/** Matches "No issues were found" and the like. "No check of the name" is a finding. */
const NOTHING =
  /^[\s|*_`]*(?:none|no(?: [\w-]+){0,3} (?:findings?|issues?|problems?|concerns?|risks?|vulnerabilit(?:y|ies)|objections?)(?: [\w-]+){0,4}|no|nothing|n\/?a|0|[-—–])?(?: (?:found|identified|detected))?[\s|*_`.]*(?:\|.*)?$/i;
/** `### Major`, `## Critical issues (2)`: the severity of the items below it. */
const GROUP = new RegExp(
  `^#{1,6}\\s+[*_\`]*(${WORD})[*_\`]*(?:\\s+(?:issues?|findings?))?\\s*(?:\\(\\d+\\))?\\s*$`,
  "i",
);
const ITEM = /^(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.*)$/i;
const PATH = /[\w@.-]+(?:\/[\w@.-]+)*\.\w+/g;

/** Parses a report into findings, one for each line that states a severity. Fenced text is ignored. */
export function parseFindings(text: string, by: string): Finding[] {
  let heading = "";
  let group: SeverityGroup | undefined;
  return removeFencedLines(text).flatMap((each): Finding[] => {
    // Blanks are collapsed first: patterns with blanks on both sides of a token would backtrack through every split.
    const line = each.replace(/\s+/g, " ").trimEnd();
    if (getHeadingLevel(line) > 0) {
      heading = line.replace(/^#+\s+/, "").trim();
      group = updateGroup(line, group);
    }
    const found = readLine(line, heading) ?? readItem(line, group);
    if (!found) return [];
    const files = [...new Set(extractPaths(found.message))];
    return [{ ...found, by, ...(files.length > 0 && { files }) }];
  });
}

/** Section below a severity heading: list items, or sub-headings with explanations. */
type SeverityGroup = { readonly severity: Finding["severity"]; readonly level: number; readonly isExplained: boolean };

function updateGroup(line: string, group: SeverityGroup | undefined): SeverityGroup | undefined {
  const severity = SEVERITIES[GROUP.exec(line)?.[1]?.toLowerCase() ?? ""];
  if (severity) return { severity, level: getHeadingLevel(line), isExplained: false };
  return group && getHeadingLevel(line) > group.level ? { ...group, isExplained: true } : undefined;
}

const getHeadingLevel = (line: string): number => /^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;

function readLine(line: string, heading: string): Pick<Finding, "severity" | "message"> | undefined {
  const { boxed, named, plain, rest = "" } = FINDING.exec(line)?.groups ?? {};
  const severity = SEVERITIES[(boxed ?? named ?? plain ?? "").toLowerCase()];
  if (!severity) return undefined;
  const message = trimFinding(rest);
  // A line that contains only a severity refers to the heading above it.
  if (named !== undefined && message === "") return { severity, message: heading || `a ${severity} finding` };
  return isEmptyStatement(rest) ? undefined : { severity, message };
}

/** Parses an item without a severity of its own below a severity heading. */
function readItem(line: string, group: SeverityGroup | undefined): Pick<Finding, "severity" | "message"> | undefined {
  if (!group || FINDING.test(line)) return undefined;
  const rest = group.isExplained ? /^#+\s+(.*)$/.exec(line)?.[1] : ITEM.exec(line)?.[1];
  return rest === undefined || isEmptyStatement(rest)
    ? undefined
    : { severity: group.severity, message: trimFinding(rest) };
}

/** Returns whether the finding requires a change. */
export const isSerious = ({ severity }: Finding): boolean => severity !== "minor";
export const isCritical = ({ severity }: Finding): boolean => severity === "blocker" || severity === "critical";

/** Returns the text below the heading with this title, up to the next heading of the same or a higher level. */
export function extractSection(text: string, title: string): string {
  const lines = text.split("\n");
  const isTitle = (line: string): boolean =>
    getHeadingLevel(line) > 0 &&
    line
      .replace(/^#+\s*/, "")
      .trim()
      .toLowerCase()
      .startsWith(title.toLowerCase());
  const from = lines.findIndex(isTitle);
  if (from === -1) return "";
  const rest = lines.slice(from + 1);
  const to = rest.findIndex(
    (line) => getHeadingLevel(line) > 0 && getHeadingLevel(line) <= getHeadingLevel(lines[from] ?? ""),
  );
  return (to === -1 ? rest : rest.slice(0, to)).join("\n").trim();
}

export function removeFencedLines(text: string): string[] {
  let fence = "";
  return text.split("\n").filter((line) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? "";
    const inside = fence !== "";
    if (!inside && mark) fence = mark;
    else if (inside && mark.startsWith(fence)) fence = "";
    return !inside && !mark;
  });
}

/** A statement that nothing was found appears within this many characters. */
const MOST_NOTHING = 300;

function isEmptyStatement(rest: string): boolean {
  return NOTHING.test(rest.slice(0, MOST_NOTHING));
}

/** Longest file name. */
const MOST_PATH = 300;

function extractPaths(message: string): readonly string[] {
  const words = message.split(/[^\w@./-]+/).filter((word) => word.length <= MOST_PATH);
  return words.flatMap((word) => word.match(PATH) ?? []);
}

function trimFinding(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charAt(end - 1) === "|" || text.charAt(end - 1).trim() === "")) end -= 1;
  return text
    .slice(0, end)
    .replace(/^[\s|*_`:—–-]+/, "")
    .replace(/ ?\| ?/g, " | ");
}

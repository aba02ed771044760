import { expect, it } from "vitest";
import { extractSection, parseFindings } from "./findings.ts";

const severities = (text: string) => parseFindings(text, "r").map(({ severity }) => severity);

it("findings are read with their severity on one scale and the files they name", () => {
  expect(parseFindings("- [High] leaks (src/a.ts)\n- [Odd] no\n* [Low] style\n", "r-quality")).toEqual([
    { severity: "major", message: "leaks (src/a.ts)", by: "r-quality", files: ["src/a.ts"] },
    { severity: "minor", message: "style", by: "r-quality" },
  ]);
});

it.each([
  "- [Critical] it leaks",
  "### [Severity: Critical] it leaks",
  "- **Critical** — it leaks",
  "**Critical:** it leaks",
  "1. Critical: it leaks",
  "| Critical | it leaks | src/a.ts |",
  "### It leaks\n- **Severity:** Critical",
  "### It leaks\nSeverity: Critical",
  "### Critical\n\n- It leaks",
  "### Critical\n\n#### C-1: It leaks\n\n- Where: src/a.ts\n- Why: nobody closes it\n\n### Looked at\n\n#### The parser\n",
  "## Critical issues (1)\n\n1. It leaks\n   - Where: src/a.ts\n\n## Looked at\n\n- src/b.ts",
])("a finding is found however it is written: %s", (text) => {
  expect(parseFindings(text, "r")).toMatchObject([
    { severity: "critical", message: expect.stringMatching(/it leaks/i) },
  ]);
});

it.each([
  "- Critical: none",
  "| Critical | 0 |",
  "## Critical",
  "There are no critical findings.",
  "- [Blocker] None.",
  "```\n- [Critical] quoted\n```",
  "Critical: no findings",
  "- [Critical] No serious issues were found.",
  "### Critical\n\n#### None\n\n- src/a.ts was read\n",
  "### Critical\n\n- None\n\n### Notes\n\n- it is short",
])("a statement that nothing was found is not a finding: %s", (text) => {
  expect(severities(text)).toEqual([]);
});

it.each(["No check of the name", "No authentication on the admin route", "Nothing is logged when it fails"])(
  "a finding may report something missing: %s",
  (message) => expect(parseFindings(`- [Critical] ${message}`, "r")).toMatchObject([{ severity: "critical", message }]),
);

it("severities in the words of any cluster map to one scale", () => {
  const words = ["Blocker", "Critical", "High", "Major", "Medium", "Low", "Minor"];
  expect(severities(words.map((word) => `- [${word}] x`).join("\n"))).toEqual([
    "blocker",
    "critical",
    "major",
    "major",
    "minor",
    "minor",
    "minor",
  ]);
});

it("a section ends where the next of its level begins", () => {
  const text = "# A\n\n## Actionable Items\n\n1. x\n\n### Detail\n\ny\n\n## Rest\n\nz\n";
  expect(extractSection(text, "actionable items")).toBe("1. x\n\n### Detail\n\ny");
  expect(extractSection(text, "Nowhere")).toBe("");
});

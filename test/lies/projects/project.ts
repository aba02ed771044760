export const PROJECTS = [
  ...(["js", "npm", "red", "flaky", "python", "cpp", "untested", "plain"] as const),
  ...([
    "mixed",
    "named",
    "prepared",
    "called",
    "runner",
    "guided",
    "placed",
    "built",
    "whole",
    "recipe",
    "beside",
  ] as const),
  ...(["packaged", "vendored", "aliased", "headers", "pytest", "taxed", "moduled"] as const),
  ...(["ruled", "compared", "commanded", "plugged", "generated", "delivered", "inward"] as const),
  ...(["relayed", "listed", "tooled", "shown", "verified"] as const),
  ...(["trial", "registered", "tabled", "documented", "gathered", "told", "inline", "packed", "counted"] as const),
  ...(["chained", "planned", "folded"] as const),
  ...(["shared", "scripted", "configured", "gleaned", "hitting", "embedded"] as const),
  ...(["contracted", "paired", "tuned", "staged"] as const),
  ...(["benched", "routed", "guarded", "looped", "valued"] as const),
  ...(["dotted", "keyed", "linted", "walked"] as const),
  ...(["promised", "foretold"] as const),
  ...(["folder", "nickname", "typed", "asserted"] as const),
  ...(["strict", "mistyped", "covered", "warned", "zoned", "seeded", "limited", "snapped", "nested"] as const),
  ...(["unborn", "barren", "silent"] as const),
  ...(["crate", "owing", "gopher", "indebted", "cfee", "lacking"] as const),
] as const;
export type ProjectName = (typeof PROJECTS)[number];
export type Language = "javascript" | "typescript" | "python" | "cpp" | "c" | "go" | "rust";
export type Files = Readonly<Record<string, string>>;

/** A small repository as data, and how to find out the truth about it. */
export type Project = {
  readonly language: Language;
  readonly files: Files;
  /** Where its sources are; everything else is the exam. */
  readonly sources: readonly string[];
  /** Runs the base commit's own tests, and says each test's name and result on a line of its own. */
  readonly exam: readonly string[];
  /** Lines of that output which name a test that passed. */
  readonly passed: RegExp;
};

export const config = (commands: Files): string =>
  `commands:\n${Object.entries(commands)
    .map(([name, line]) => `  ${name}: ${JSON.stringify(line)}\n`)
    .join("")}`;

export const CI = (command: string): string => `name: ci
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: ${command}
`;

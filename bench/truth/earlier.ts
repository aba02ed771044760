/** Sections of which an earlier page is still worth reading, and whether every row of their tables is. */
const KEPT: readonly (readonly [title: string, all: boolean])[] = [
  ["Refused fixes and features", true],
  ["False alarms on honest history", false],
  ["Planted cheats", false],
  ["What it costs", false],
];

/** What an earlier page of the same kind said, with its date: a shorter run does not make a longer one untrue. */
export function earlierLines(page: string): readonly string[] {
  const measured = page.split("\n").find((line) => line.startsWith("Measured "));
  if (measured === undefined) return [];
  return [
    "## Measured before",
    "",
    "By the exam as it was then, with commits of which some are played again above; in no figure above.",
    "",
    measured,
    "",
    ...KEPT.flatMap(([title, all]) => tableIn(page, title, all)),
  ];
}

function tableIn(page: string, title: string, all: boolean): readonly string[] {
  const [, section = ""] = page.split(`\n## ${title}\n`);
  const [own = ""] = section.split("\n## ");
  const lines = own.split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const end = lines.findIndex((line, at) => at > first && !line.startsWith("|"));
  const [head = "", rule = "", ...rows] = first < 0 ? [] : lines.slice(first, end < 0 ? undefined : end);
  const kept = all ? rows : rows.filter((row) => row.startsWith("| **"));
  return kept.length > 0 ? [`${title}:`, "", head, rule, ...kept, ""] : [];
}

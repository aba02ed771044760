import type { Capabilities } from "../../src/core/ports/driver.ts";
import type { Program } from "./programs.ts";
import type { Result, Results } from "./results.ts";

const HEAD = `# Compatibility

<!-- Written by \`npm run compatibility\` from the results of \`npm run test:agents\`; do not edit. -->

The agent programs that were tested, their versions, and what works with them. The programs are real; their model is a
server on the same machine that follows scripts ([test/model](../../test/model)), so the results show the programs'
behavior, not the quality of their models. The rows are the titles of the tests.

✓ passed · ✗ failed · – not applicable, with the reason below the table`;

/** Drivers of programs that the suite does not install. */
export type Untried = { readonly name: string; readonly can: Capabilities };

export type PageParts = {
  readonly programs: readonly Program[];
  readonly untried: readonly Untried[];
  readonly results: Results;
  /** System and Node version of the run. */
  readonly where: string;
};

export function pageOf({ programs, untried, results, where }: PageParts): string {
  const names = programs.map(({ name }) => name);
  const all = [...results.programs.values(), results.together].flat();
  const count = (outcome: Result["outcome"]) => all.filter((result) => result.outcome === outcome).length;
  const day = new Date(results.startedAt).toISOString().slice(0, 16).replace("T", " ");
  const counted = `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
  return [
    HEAD,
    `The run: ${day} UTC, ${where}; ${all.length} cases with real programs: ${counted}.`,
    `## Programs\n\n${renderProgramTable(programs, results)}`,
    `## What their drivers can do\n\n${renderAbilityTable([...programs, ...untried])}\n\n${ABILITIES}\n\n${renderUntriedLine(untried)}`,
    `## Cases of all programs\n\n${renderSharedTable(names, results)}`,
    `## Cases of one or some programs\n\n${renderOwnLists(names, results)}`,
    `## Through the command line, together\n\n${renderTogetherLists(results)}\n`,
  ].join("\n\n");
}

function renderProgramTable(programs: readonly Program[], { programs: results }: Results): string {
  const rows = programs.map(({ name, package: from, version }) => {
    const own = results.get(name) ?? [];
    const passed = own.filter(({ outcome }) => outcome === "passed").length;
    const skipped = own.filter(({ outcome }) => outcome === "skipped").length;
    return `| ${name} | \`${from.replace(/-(?:linux|darwin)-\w+$/, "-…")}\` | ${version} | ${passed} of ${own.length - skipped} |`;
  });
  return ["| program | package | version | cases passed |", "|---|---|---|---|", ...rows].join("\n");
}

const ABILITIES = `*schema*: the program enforces a schema; otherwise the engine parses the answer and requests a repair. *resume*: it
continues an old session. *cost*: it reports US dollars. *permissions*: its actions are allowed or refused one by one.
*cancel*: it is canceled through its own protocol before it is signaled.`;

function renderAbilityTable(drivers: readonly Untried[]): string {
  const [first] = drivers;
  const keys = Object.keys(first?.can ?? {});
  const rows = drivers.map(({ name, can }) => {
    const values: Readonly<Record<string, unknown>> = can;
    return `| ${name} | ${keys.map((key) => (values[key] ? "✓" : "–")).join(" | ")} |`;
  });
  return [`| driver | ${keys.join(" | ")} |`, `|---${"|---".repeat(keys.length)}|`, ...rows].join("\n");
}

function renderUntriedLine(untried: readonly Untried[]): string {
  const names = untried.map(({ name }) => `\`${name}\``).join(", ");
  return `${names}: a profile each, not part of the suite; \`signalbox doctor --ask\` tries one on your machine.`;
}

const getCaseKey = ({ group, title }: Result): string => `${group}\n${title}`;

/** Maps group and title to the cases of a program; the worse result of two equal titles counts. */
function groupCases(program: string, { programs }: Results): ReadonlyMap<string, Result> {
  const found = [...(programs.get(program) ?? [])].sort((a, b) => RANK[b.outcome] - RANK[a.outcome]);
  return new Map(found.map((result) => [getCaseKey(result), result]));
}

const RANK = { failed: 0, skipped: 1, passed: 2 } as const;
const MARKS = { passed: "✓", failed: "✗", skipped: "–" } as const;

function renderSharedTable(names: readonly string[], results: Results): string {
  const reasons: string[] = [];
  const mark = (result: Result | undefined): string => {
    if (result?.reason === undefined) return result ? MARKS[result.outcome] : "";
    if (!reasons.includes(result.reason)) reasons.push(result.reason);
    return `– (${reasons.indexOf(result.reason) + 1})`;
  };
  const cases = names.map((name) => groupCases(name, results));
  const rows = listSharedKeys(names, results).map((key) => {
    const [, title = ""] = key.split("\n");
    return `| ${plain(title)} | ${cases.map((each) => mark(each.get(key))).join(" | ")} |`;
  });
  const head = [`| | ${names.join(" | ")} |`, `|---${"|---".repeat(names.length)}|`];
  return [...head, ...rows, "", ...reasons.map((reason, at) => `${at + 1}. ${plain(reason)}`)].join("\n").trimEnd();
}

/** Ordered as in the first program, which is the order of the suite's source. */
function listSharedKeys([first = "", ...others]: readonly string[], results: Results): readonly string[] {
  const rest = others.map((name) => groupCases(name, results));
  const keys = (results.programs.get(first) ?? []).map(getCaseKey);
  return [...new Set(keys)].filter((key) => rest.every((cases) => cases.has(key)));
}

function renderOwnLists(names: readonly string[], results: Results): string {
  const shared = new Set(listSharedKeys(names, results));
  return names
    .map((name) => {
      const own = [...groupCases(name, results).values()].filter((result) => !shared.has(getCaseKey(result)));
      return `### ${name}\n\n${renderList([...own].sort((a, b) => (getCaseKey(a) < getCaseKey(b) ? -1 : 1)))}`;
    })
    .join("\n\n");
}

function renderTogetherLists({ together }: Results): string {
  const groups = [...Map.groupBy(together, ({ group }) => group)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([group, list]) => `### ${plain(group)}\n\n${renderList(list)}`).join("\n\n");
}

function renderList(results: readonly Result[]): string {
  const lines = results.map(({ title, outcome, reason }) => {
    return `- ${MARKS[outcome]} ${plain(title)}${reason === undefined ? "" : `: ${plain(reason)}`}`;
  });
  return lines.length === 0 ? "Nothing." : lines.join("\n");
}

/** Escapes a title for Markdown; no path in it becomes a link. */
export const plain = (text: string): string =>
  text.replace(/\s+/g, " ").replace(/[\\|<>[\]*_`]/g, (sign) => `\\${sign}`);

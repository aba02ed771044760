import type { Role } from "../../../core/authoring/role.ts";
import type { AttemptRequest, CheckResultFacts, KnownCheck } from "../../../core/journal/effect.ts";
import { type AddedFiles, hasTreeResults } from "./added-files.ts";
import { DATA, quoteInline } from "./quote-text.ts";

type ChecksRequest = {
  readonly request: AttemptRequest;
  readonly laid?: AddedFiles | undefined;
  readonly role: BuildingRole;
  readonly environment?: readonly string[] | undefined;
};
type BuildingRole = Pick<Role, "writes" | "documents">;

/** Describes the project's own commands, their results so far, and whether they can run in the agent's folder. */
export function formatChecksSection({ request, laid, role, environment = [] }: ChecksRequest): readonly string[] {
  const { checks } = request;
  if (!checks) return [];
  const builds = isBuilding(role, request);
  if (checks.length === 0) return [`# The checks\n\n${builds ? NOTHING_RUNS : NOTHING_RAN}`];
  const head = builds
    ? "The engine runs these itself on your files and accepts no other evidence. Run them before you answer:"
    : "The engine runs these itself. Its results so far:";
  const lines = [
    ...checks.map(formatKnownCheck),
    ...(builds
      ? [...formatSetupLine(request, laid), ...formatEnvironmentLine(environment)]
      : formatJudgeLine(request, laid)),
    ...formatLogLine(laid),
  ];
  const quotes = checks.some(({ before, now }) => hasWords(before) || hasWords(now)) || formatLogLine(laid).length > 0;
  const mark = quotes ? `\n\nTest names and program output: ${DATA.toLowerCase()}` : "";
  return [`# The checks\n\n${head}\n\n${lines.map((line) => `- ${line}`).join("\n")}${mark}`];
}

/**
 * False for roles that write plans and reports: they break no check, start no server and need no installed
 * dependencies.
 */
export const isBuilding = ({ writes, documents = false }: BuildingRole, request: AttemptRequest): boolean =>
  writes && !documents && !isDocumentsRole(request);

function isDocumentsRole({ writes = [], delivers = [] }: AttemptRequest): boolean {
  const paths = [...writes.filter((glob) => !glob.startsWith("!")), ...delivers];
  return paths.length > 0 && paths.every((path) => /\.(?:md|mdx|ya?ml|json|jsonl|ndjson|txt)$/.test(path));
}

const NOTHING_RUNS = "No command is configured for this project: the engine runs no check on your work.";
const NOTHING_RAN = "No command is configured for this project: nothing was run on this tree.";

/** Tells whether the result quotes the project's programs. */
const hasWords = (seen: CheckResultFacts | undefined): boolean =>
  (seen?.failing ?? []).length > 0 || seen?.because !== undefined;

function formatKnownCheck({ name, run, before, now }: KnownCheck): string {
  const then = before ? `${BEFORE[before.outcome]}${formatResultDetail(before)}` : "not run yet";
  const here = now ? `; on this tree it ${NOW[now.outcome]}${formatResultDetail(now)}` : "";
  return `${name}: \`${run}\`: ${then}${here}`;
}

const BEFORE: Readonly<Record<CheckResultFacts["outcome"], string>> = {
  passed: "passed before the work",
  failed: "was red before the work",
  regression: "was red before the work",
  "red-before": "was red before the work",
  flaky: "gave different results on the same tree before the work",
  "not-run": "could not be run before the work",
};

const NOW: Readonly<Record<CheckResultFacts["outcome"], string>> = {
  passed: "passes",
  failed: "fails",
  regression: "fails, and did not before",
  "red-before": "is as red as before",
  flaky: "gives different results",
  "not-run": "could not be run",
};

const SHOWN = 5;

function formatResultDetail({ tests, failing = [], because }: CheckResultFacts): string {
  const rest = failing.length - SHOWN;
  const names = `${failing.slice(0, SHOWN).map(quoteInline).join("; ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const reason = because?.replace(/[\s\p{Cc}]+/gu, " ");
  const said = [tests && (names ? `${tests} pass` : tests), names && `failing: ${names}`, reason].filter(Boolean);
  return said.length > 0 ? ` (${said.join("; ")})` : "";
}

function formatSetupLine({ setup }: AttemptRequest, laid: AddedFiles | undefined): readonly string[] {
  if (!setup) return [];
  const line = `Set-up: \`${setup.run}\``;
  if (laid?.setup === undefined) return [`${line}: run it first; nothing is installed in your folder.`];
  const there = `${line} has been run for you: ${formatInstalled(laid.paths)} is installed as your own copy and needs no network`;
  if (laid.setup === "exact") return [`${there}.`];
  return [
    `${there}. It was made for the tree that the run started from: run it again if it builds something that has changed.`,
  ];
}

/** Agents do not get these variables, so their own check results may differ from the engine's. */
function formatEnvironmentLine(variables: readonly string[]): readonly string[] {
  if (variables.length === 0) return [];
  return [`The engine runs them with ${variables.map(quoteInline).join(", ")}: set the same when you run them.`];
}

/** Tells an agent that sees check results for its tree whether it can reproduce them. */
function formatJudgeLine(request: AttemptRequest, laid: AddedFiles | undefined): readonly string[] {
  const { setup } = request;
  if (!setup || !hasTreeResults(request)) return [];
  if (laid?.setup === undefined)
    return [`The results are from another folder: \`${setup.run}\` has not been run in yours.`];
  return [`Set-up: \`${setup.run}\` has been run for you: ${formatInstalled(laid.paths)} is there.`];
}

function formatInstalled(paths: readonly string[]): string {
  const own = paths.filter((path) => !path.startsWith(".signalbox/"));
  const rest = own.length - SHOWN;
  return `${own.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function formatLogLine(laid: AddedFiles | undefined): readonly string[] {
  const logs = laid?.logs ?? [];
  return logs.length === 0 ? [] : [`Output of failed checks: ${logs.map((path) => `\`${path}\``).join(", ")}.`];
}

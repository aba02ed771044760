import type { Paint } from "../../surfaces/terminal/paint.ts";
import { formatTable } from "../../surfaces/terminal/table.ts";
import { wrapLine } from "../../surfaces/terminal/wrap.ts";
import type { UnusedDefinition } from "./ignored-definitions.ts";
import type { RoleRow, RoleTable } from "./role-rows.ts";

type LineStyle = { readonly paint: Paint; readonly width: number };

/** Formats roles, agents and prompts by pipeline. If all agents come from one place, it is named once. */
export function formatRoles(style: LineStyle, { rows, unused }: RoleTable): readonly string[] {
  const groups = [...Map.groupBy(rows, ({ pipeline }) => pipeline)];
  const lists = groups.flatMap(([pipeline, roles], at) => [
    ...(at === 0 ? [] : [""]),
    ...formatPipelineRoles(style, pipeline, roles),
  ]);
  const notes = [...formatRoleProblems(style, rows), ...formatIgnoredDefinitions(style, rows, unused)];
  return notes.length === 0 ? lists : [...lists, "", ...notes];
}

function formatPipelineRoles(
  { paint, width }: LineStyle,
  pipeline: string,
  roles: readonly RoleRow[],
): readonly string[] {
  const places = [...new Set(roles.map(({ agentFrom }) => agentFrom))];
  const [only] = places;
  const once = places.length === 1 ? paint.dim(`  agents from ${only}`) : "";
  const head = [
    ["  role", "agent", ...(once ? [] : ["set in"]), "prompt"].map((text) => ({ text, painted: paint.dim(text) })),
  ];
  const cells = roles.map((row) => {
    const { agent } = row;
    const painted = isRunnable(row) ? agent : paint.red(agent);
    const from = once ? [] : [{ text: row.agentFrom }];
    return [{ text: `  ${row.role}` }, { text: agent, painted }, ...from, { text: formatPromptSource(row) }];
  });
  return [`${paint.bold(pipeline)}${once}`, ...formatTable([...head, ...cells])].flatMap((line) =>
    wrapLine(line, { width, indent: 6 }),
  );
}

function formatPromptSource({ from, modelFrom }: RoleRow): string {
  return modelFrom !== undefined && modelFrom === from ? `${from}, with its model` : from;
}

export function isRunnable({ missing, problem }: RoleRow): boolean {
  return missing === undefined && problem === undefined;
}

/** Formats each problem once, with the roles that it stops and the next step. */
export function formatRoleProblems({ paint, width }: LineStyle, rows: readonly RoleRow[]): readonly string[] {
  const bad = rows.filter((row) => !isRunnable(row));
  const reasons = Map.groupBy(bad, ({ problem, from, missing }) => (problem ? `${from}: ${problem}` : (missing ?? "")));
  return [...reasons].flatMap(([reason, stopped]) => {
    const next = stopped[0]?.problem ? "fix or remove the file" : stopped[0]?.next;
    return [
      `${paint.red("✗")} ${reason}`,
      `    ${paint.dim("stops:")} ${formatRolesByPipeline(stopped)}`,
      ...(next === undefined ? [] : [`    ${paint.dim("next:")} ${paint.cyan(next)}`]),
    ].flatMap((line) => wrapLine(line, { width, indent: 6 }));
  });
}

/** `ledger designer, planner; phases Planner` */
function formatRolesByPipeline(rows: readonly RoleRow[]): string {
  const groups = [...Map.groupBy(rows, ({ pipeline }) => pipeline)];
  return groups.map(([pipeline, roles]) => `${pipeline} ${roles.map(({ role }) => role).join(", ")}`).join("; ");
}

/** Formats what is ignored and why, by file. */
export function formatIgnoredDefinitions(
  { paint, width }: LineStyle,
  rows: readonly RoleRow[],
  unused: readonly UnusedDefinition[],
): readonly string[] {
  const ignored = rows.flatMap((row) =>
    row.ignored.map(({ file, what, because }) => ({ file, text: `${what}: ${because}` })),
  );
  const whole = unused.map(({ file, because }) => ({ file, text: `all of it: ${because}` }));
  return [...Map.groupBy([...ignored, ...whole], ({ file }) => file)].flatMap(([file, list]) => [
    `${paint.yellow("!")} ignored in ${file}`,
    ...[...new Set(list.map(({ text }) => `    ${text}`))].flatMap((line) => wrapLine(line, { width, indent: 6 })),
  ]);
}

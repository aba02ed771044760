import type { Program } from "./programs.ts";
import type { Results } from "./results.ts";

/** Returns why a report cannot be published: it must include every program and every applicable case. */
export function problemsOf({ programs, together, absent }: Results, due: readonly Pick<Program, "name">[]) {
  const without = due.filter(({ name }) => !programs.has(name)).map(({ name }) => `${name}: no results in the report`);
  const all = [...programs].flatMap(([name, results]) => results.map((result) => ({ name, ...result })));
  const skipped = [...all, ...together.map((result) => ({ name: result.group, ...result }))].filter(
    ({ outcome, reason }) => outcome === "skipped" && reason === undefined,
  );
  return [
    ...without,
    ...absent.map((what) => `${what}: was not there`),
    ...skipped.map(({ name, title }) => `${name}: skipped, perhaps because its program was not there: ${title}`),
  ];
}

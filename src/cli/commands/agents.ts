import { ignoredLines, isPlayable, roleLines, troubleLines } from "../agents/role-lines.ts";
import { type RolesFlags, rolesOf } from "../agents/role-rows.ts";
import type { Call } from "../call.ts";

/** Lists each role's agent, prompt and model with their sources, and agent settings that have no effect. */
export async function listAgents(call: Call, pipeline: string | undefined, flags: RolesFlags): Promise<number> {
  const roles = await rolesOf(call, pipeline, flags);
  if (call.json) call.emit({ v: 1, roles: roles.rows, unused: roles.unused });
  else for (const line of roleLines(call, roles)) call.print(line);
  return 0;
}

/** Exits with code 4 if a role has no usable agent. */
export async function checkAgents(call: Call, pipeline: string | undefined, flags: RolesFlags): Promise<number> {
  const { rows, unused } = await rolesOf(call, pipeline, flags);
  const bad = rows.filter((row) => !isPlayable(row));
  const ok = bad.length === 0;
  if (call.json) call.emit({ v: 1, ok, roles: rows, unused });
  else {
    for (const line of [...troubleLines(call, rows), ...ignoredLines(call, rows, unused)]) call.print(line);
    call.print(
      ok
        ? `${call.paint.green("✓")} every role has a usable agent (${rows.length})`
        : `${call.paint.red("✗")} ${bad.length} of ${rows.length} roles have no usable agent`,
    );
  }
  return ok ? 0 : 4;
}

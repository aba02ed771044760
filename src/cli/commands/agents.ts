import { formatIgnoredDefinitions, formatRoleProblems, formatRoles, isRunnable } from "../agents/role-lines.ts";
import { loadRoles, type RolesFlags } from "../agents/role-rows.ts";
import type { Call } from "../call.ts";

/** Lists each role's agent, prompt and model with their sources, and agent settings that have no effect. */
export async function listAgents(call: Call, pipeline: string | undefined, flags: RolesFlags): Promise<number> {
  const roles = await loadRoles(call, pipeline, flags);
  if (call.json) call.emit({ v: 1, roles: roles.rows, unused: roles.unused });
  else for (const line of formatRoles(call, roles)) call.print(line);
  return 0;
}

/** Exits with code 4 if a role has no usable agent. */
export async function checkAgents(call: Call, pipeline: string | undefined, flags: RolesFlags): Promise<number> {
  const { rows, unused } = await loadRoles(call, pipeline, flags);
  const bad = rows.filter((row) => !isRunnable(row));
  const ok = bad.length === 0;
  if (call.json) call.emit({ v: 1, ok, roles: rows, unused });
  else {
    for (const line of [...formatRoleProblems(call, rows), ...formatIgnoredDefinitions(call, rows, unused)])
      call.print(line);
    call.print(
      ok
        ? `${call.paint.green("✓")} every role has a usable agent (${rows.length})`
        : `${call.paint.red("✗")} ${bad.length} of ${rows.length} roles have no usable agent`,
    );
  }
  return ok ? 0 : 4;
}

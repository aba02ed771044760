import type { PhaseSpec } from "../core/phases.ts";
import type { Role } from "../core/role.ts";

type Named = Pick<Role, "name" | "does" | "contract" | "writes" | "signed">;

/**
 * The roles of a phase. A role whose contract becomes rows is not assignable to a role of an unknown contract,
 * because it reads that contract.
 */
export function allowed(...roles: readonly Named[]): NonNullable<PhaseSpec["roles"]> {
  // True: every argument was made by defineRole, and a phase only reads what `Named` lists.
  return roles as NonNullable<PhaseSpec["roles"]>;
}

import { join } from "node:path";
import {
  listProtectedSettings,
  type Processes,
  type SandboxMount,
  type SandboxRules,
  wrapInSandbox,
} from "../../core/ports/processes.ts";
import type { Workspace } from "../../core/ports/workspace.ts";

/** Paths on this machine that agents and checks must not see, and exceptions that they need. */
export type SandboxPaths = {
  /** The user's home, repository and state: hidden except for the exceptions. */
  readonly hidden: readonly string[];
  /** Our own programs, if they are inside a hidden path. */
  readonly readable: readonly string[];
};

type SandboxRequest = {
  readonly processes: Processes;
  /** Present if the folder is a repository that borrows objects. */
  readonly workspace?: Pick<Workspace, "borrowed">;
  readonly sandboxPaths: SandboxPaths | undefined;
  /** The attempt's own repository. */
  readonly dir: string;
  readonly home: string;
  readonly network: SandboxRules["network"];
  /** Paths that the task lets the agent change. */
  readonly writes?: readonly string[] | undefined;
  /** A folder that other agents read too; `shown` is for this agent alone. */
  readonly shared?: { readonly of: string; readonly shown: readonly SandboxMount[] } | undefined;
};

/** Tells what is guaranteed about a folder after its processes have ended; undefined if one may survive. */
export function getConfinement({ processes, sandboxPaths }: ConfinementInput): { readonly files: boolean } | undefined {
  const { confines } = processes;
  return sandboxPaths && confines?.processes ? { files: confines.files } : undefined;
}

type ConfinementInput = { readonly processes: Processes; readonly sandboxPaths?: SandboxPaths | undefined };

/** Returns processes that can write only in their own repository and home, if the system can enforce it. */
export async function createSandbox(place: SandboxRequest): Promise<Processes> {
  const { processes, workspace, sandboxPaths, dir, home, network, writes, shared } = place;
  if (!sandboxPaths) return processes;
  return wrapInSandbox(processes, {
    writable: shared ? [home] : [dir, home],
    hidden: sandboxPaths.hidden,
    // Never read from the attempt's own repository: an earlier agent or check may have changed it.
    readable: [...sandboxPaths.readable, ...((await workspace?.borrowed()) ?? []), ...(shared ? [shared.of] : [])],
    ...(shared ? { shown: shared.shown } : {}),
    readOnly: listProtectedSettings(writes).map((path) => join(dir, path)),
    network,
  });
}

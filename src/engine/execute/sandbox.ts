import { join } from "node:path";
import { inSandbox, keptSettings, type Processes, type SandboxRules, type Shown } from "../../core/ports/processes.ts";
import type { Workspace } from "../../core/ports/workspace.ts";

/** What lies on this machine that no agent and no check needs to see, and what they need all the same. */
export type SandboxPaths = {
  /** The user's home, repository and state: hidden except for what is named below. */
  readonly hidden: readonly string[];
  /** Our own programs, where they lie inside a hidden place. */
  readonly readable: readonly string[];
};

type SandboxRequest = {
  readonly processes: Processes;
  /** Where the folder is a repository that borrows objects. */
  readonly workspace?: Pick<Workspace, "borrowed">;
  readonly sandboxPaths: SandboxPaths | undefined;
  /** The attempt's own repository. */
  readonly dir: string;
  readonly home: string;
  readonly network: SandboxRules["network"];
  /** What an agent's task lets it change. */
  readonly writes?: readonly string[] | undefined;
  /** A folder that others read too; what is shown is for this one alone. */
  readonly shared?: { readonly of: string; readonly shown: readonly Shown[] } | undefined;
};

/** What can be said of a folder when who worked there has ended; undefined where something of it may live on. */
export function confinement({ processes, sandboxPaths }: Confined): { readonly files: boolean } | undefined {
  const { confines } = processes;
  return sandboxPaths && confines?.processes ? { files: confines.files } : undefined;
}

type Confined = { readonly processes: Processes; readonly sandboxPaths?: SandboxPaths | undefined };

/** Processes that can write in their own repository and home and nowhere else, where the system can hold them to it. */
export async function sandboxFor(place: SandboxRequest): Promise<Processes> {
  const { processes, workspace, sandboxPaths, dir, home, network, writes, shared } = place;
  if (!sandboxPaths) return processes;
  return inSandbox(processes, {
    writable: shared ? [home] : [dir, home],
    hidden: sandboxPaths.hidden,
    // Never what the attempt's own repository names: an agent or a check before this one may have written there.
    readable: [...sandboxPaths.readable, ...((await workspace?.borrowed()) ?? []), ...(shared ? [shared.of] : [])],
    ...(shared ? { shown: shared.shown } : {}),
    readOnly: keptSettings(writes).map((path) => join(dir, path)),
    network,
  });
}

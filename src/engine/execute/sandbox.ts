import { join } from "node:path";
import { inSandbox, keptSettings, type Processes, type SandboxRules } from "../../core/ports/processes.ts";
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
};

/** Processes that can write in their own repository and home and nowhere else, where the system can hold them to it. */
export async function sandboxFor(place: SandboxRequest): Promise<Processes> {
  const { processes, workspace, sandboxPaths, dir, home, network, writes } = place;
  if (!sandboxPaths) return processes;
  return inSandbox(processes, {
    writable: [dir, home],
    hidden: sandboxPaths.hidden,
    // Never what the attempt's own repository names: an agent or a check before this one may have written there.
    readable: [...sandboxPaths.readable, ...((await workspace?.borrowed()) ?? [])],
    readOnly: keptSettings(writes).map((path) => join(dir, path)),
    network,
  });
}

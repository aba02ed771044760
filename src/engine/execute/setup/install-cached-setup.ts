import { isSetupInput } from "../../../core/checks/setup/setup-inputs.ts";
import type { SetupCommand } from "../../../core/journal/effect.ts";
import type { WorkFolder } from "../../../core/ports/workspace.ts";
import type { ExecutorDeps } from "../executor.ts";
import { copyCachedSetup } from "./cached-setup.ts";
import { computeSetupKey } from "./setup-key.ts";

type SetupTarget = {
  readonly dir: string;
  readonly folder?: Pick<WorkFolder, "place">;
  readonly tree: string;
  /** `from`: the tree that people committed, of which a set-up may be cached. */
  readonly setup: SetupCommand & { readonly from: string };
  /** Larger set-ups are not copied. */
  readonly most?: number | undefined;
};

/** `exact`: the set-up for this tree would be the same; otherwise it is that of the tree that the run started from. */
export type CachedSetupCopy = { readonly made: readonly string[]; readonly exact: boolean };

/**
 * Copies a cached set-up into an agent's folder; undefined if there is none. The copy is not shared, so that
 * changes of one agent reach no other agent. It is not evidence: checks prepare a checkout of their own.
 */
export async function installCachedSetup(
  parts: ExecutorDeps,
  place: SetupTarget,
): Promise<CachedSetupCopy | undefined> {
  const { dir, tree, setup } = place;
  const given = parts.environment?.setup ?? {};
  const own = await computeSetupKey({ ...parts, dir, tree, setup, given });
  const exact = own === undefined ? undefined : await copySetup(parts, place, own);
  if (exact) return { made: exact, exact: true };
  if (own === undefined || tree === setup.from || (await hasChangedInputs(parts, place))) return undefined;
  const first = await computeSetupKey({ ...parts, dir, tree: setup.from, setup, given });
  const made = first === undefined || first === own ? undefined : await copySetup(parts, place, first);
  return made && { made, exact: false };
}

type CopiedPaths = readonly string[] | undefined;

async function copySetup(parts: ExecutorDeps, { dir, folder, most }: SetupTarget, key: string): Promise<CopiedPaths> {
  const handed = await copyCachedSetup({ ...parts, dir, folder, key, most });
  return handed.as === "ready" ? handed.made : undefined;
}

/** With other dependencies the old ones would mislead. */
async function hasChangedInputs({ workspace }: ExecutorDeps, { tree, setup }: SetupTarget): Promise<boolean> {
  const changes = await workspace.changes(setup.from, tree);
  return changes.some(({ path }) => isSetupInput(path) || path === setup.lockFile);
}

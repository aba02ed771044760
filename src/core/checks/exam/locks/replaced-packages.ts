import { type LockedPackage, readLock } from "./read-lock.ts";

type LockChange = {
  readonly path: string;
  /** Empty where the lock is new. */
  readonly before: string;
  readonly after: string;
  /** Names of packages that were installed before, by whatever file said so. */
  readonly installed: ReadonlySet<string>;
};

/**
 * Names of packages that were installed before and whose content the new lock takes from somewhere else: under the same
 * version with other content, from another place, or from a folder. Another version out of the same registry is an
 * upgrade. Undefined where a side cannot be read.
 */
export function replacedPackages({ path, before, after, installed }: LockChange): readonly string[] | undefined {
  const [then, now] = [before === "" ? [] : readLock(path, before), readLock(path, after)];
  if (!then || !now) return undefined;
  const known = Map.groupBy(then, ({ name }) => name);
  const hosts = new Set([...HOSTS, ...then.flatMap(({ address }) => hostOf(address))]);
  const isReplaced = (each: LockedPackage) => {
    const old = known.get(each.name) ?? (installed.has(each.name) ? [] : undefined);
    // A name that is new replaces nothing.
    return old !== undefined && !old.some((one) => isSame(one, each)) && !isRelease(each, old, hosts);
  };
  return [...new Set(now.filter(isReplaced).map(({ name }) => name))].sort();
}

/** Names of all packages that a lock installs. */
export function lockedNames(path: string, text: string): readonly string[] {
  return (readLock(path, text) ?? []).map(({ name }) => name);
}

function isSame(one: LockedPackage, other: LockedPackage): boolean {
  if (one.version !== other.version || one.elsewhere !== other.elsewhere) return false;
  if (one.content.length === 0 && other.content.length === 0) return one.address === other.address;
  return one.content.some((each) => other.content.includes(each));
}

/** Another version of it, as its registry has it. */
function isRelease(each: LockedPackage, old: readonly LockedPackage[], hosts: ReadonlySet<string>): boolean {
  if (each.elsewhere !== undefined) return false;
  const sameVersion = old.filter(({ version }) => version === each.version);
  // Other content under the same version, or none that anybody could compare.
  if (sameVersion.some((one) => one.content.length > 0)) return false;
  if (each.content.length === 0 && old.some((one) => one.content.length > 0)) return false;
  if (each.address === undefined) return true;
  if (!hostOf(each.address).every((host) => hosts.has(host))) return false;
  const folder = folderOf(each.address);
  return each.address.includes(`/${each.name}/`) || !each.named || old.some((one) => folderOf(one.address) === folder);
}

/** Registries that a lock may name for the first time. */
const HOSTS = ["registry.npmjs.org", "registry.yarnpkg.com", "files.pythonhosted.org", "pypi.org"];

function hostOf(address = ""): readonly string[] {
  return /^https?:\/\/([^/]+)/.exec(address)?.slice(1) ?? [];
}

function folderOf(address = ""): string {
  return address.replace(/[^/]*$/, "");
}

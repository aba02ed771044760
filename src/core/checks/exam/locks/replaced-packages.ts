import { type LockedPackage, readLock } from "./read-lock.ts";

type LockChange = {
  readonly path: string;
  /** Empty for a new lock. */
  readonly before: string;
  readonly after: string;
  /** Names of packages that were installed before, from any file. */
  readonly installed: ReadonlySet<string>;
};

/**
 * Finds previously installed packages whose content comes from elsewhere in the new lock: the same version with other
 * content, another source, or a folder. Another version from the same registry is an upgrade. Returns undefined if one
 * side cannot be read.
 */
export function findReplacedInLock({ path, before, after, installed }: LockChange): readonly string[] | undefined {
  const [then, now] = [before === "" ? [] : readLock(path, before), readLock(path, after)];
  if (!then || !now) return undefined;
  const known = Map.groupBy(then, ({ name }) => name);
  const hosts = new Set([...HOSTS, ...then.flatMap(({ address }) => parseHost(address))]);
  const isReplaced = (each: LockedPackage) => {
    const old = known.get(each.name) ?? (installed.has(each.name) ? [] : undefined);
    // A new name replaces nothing.
    return old !== undefined && !old.some((one) => isSamePackage(one, each)) && !isRelease(each, old, hosts);
  };
  return [...new Set(now.filter(isReplaced).map(({ name }) => name))].sort();
}

/** Lists the names of all packages that a lock installs. */
export function listLockedNames(path: string, text: string): readonly string[] {
  return (readLock(path, text) ?? []).map(({ name }) => name);
}

function isSamePackage(one: LockedPackage, other: LockedPackage): boolean {
  if (one.version !== other.version || one.elsewhere !== other.elsewhere) return false;
  if (one.content.length === 0 && other.content.length === 0) return one.address === other.address;
  return one.content.some((each) => other.content.includes(each));
}

/** Returns whether it is another version from the same registry. */
function isRelease(each: LockedPackage, old: readonly LockedPackage[], hosts: ReadonlySet<string>): boolean {
  if (each.elsewhere !== undefined) return false;
  const sameVersion = old.filter(({ version }) => version === each.version);
  // Other content under the same version, or content that cannot be compared.
  if (sameVersion.some((one) => one.content.length > 0)) return false;
  if (each.content.length === 0 && old.some((one) => one.content.length > 0)) return false;
  if (each.address === undefined) return true;
  if (!parseHost(each.address).every((host) => hosts.has(host))) return false;
  const folder = parseFolder(each.address);
  return (
    each.address.includes(`/${each.name}/`) || !each.named || old.some((one) => parseFolder(one.address) === folder)
  );
}

/** Registries that may appear in a lock for the first time. */
const HOSTS = ["registry.npmjs.org", "registry.yarnpkg.com", "files.pythonhosted.org", "pypi.org"];

function parseHost(address = ""): readonly string[] {
  return /^https?:\/\/([^/]+)/.exec(address)?.slice(1) ?? [];
}

function parseFolder(address = ""): string {
  return address.replace(/[^/]*$/, "");
}

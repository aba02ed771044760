import { canonical } from "../../../text/json.ts";

type LockFields = Readonly<Record<string, unknown>>;
type PackageSides = { readonly before: string; readonly after: string };

/**
 * Returns whether the manifest, or its lock, moves development packages to other versions. Tests judge with these.
 * Additions move nothing.
 */
export function isDevelopmentMoved(manifest: PackageSides, lock: PackageSides | undefined): boolean {
  const [then, now] = [parse(manifest.before), parse(manifest.after)];
  const [old, own] = [toManifestFields(then?.["devDependencies"]), toManifestFields(now?.["devDependencies"])];
  if (Object.keys(old).some((name) => !BUILDS.test(name) && old[name] !== own[name])) return true;
  return lock !== undefined && restoreLock(lock) !== undefined && restoreLock(lock) !== lock.after;
}

/** Packages that build or format the product: no test judges with them, and new code may need newer ones. */
const BUILDS =
  /^(?:typescript|tslib|tsx|ts-node|vite|webpack|rollup|esbuild|tsup|parcel|turbo|nx|next|sass|postcss|tailwindcss|autoprefixer|eslint|prettier|stylelint|husky|lint-staged|(?:rollup|webpack|vite|esbuild|postcss|babel|eslint|prettier)-.+|.+-loader|@(?:types|babel|swc|vitejs|rollup|esbuild|webpack-cli|parcel|eslint|typescript-eslint|biomejs|tailwindcss)\/.+)$/;

/** Returns whether the product requires the same packages as before and is built with the same ones. */
export function isProductUnchanged({ before, after }: PackageSides): boolean {
  const asked = (text: string) => {
    const fields = parse(text) ?? {};
    const built = Object.entries(toManifestFields(fields["devDependencies"])).filter(([name]) => BUILDS.test(name));
    return canonical([...PRODUCT.map((key) => fields[key] ?? null), Object.fromEntries(built)]);
  };
  return asked(before) === asked(after);
}

const PRODUCT = ["dependencies", "peerDependencies", "optionalDependencies", "overrides", "resolutions", "workspaces"];

/** Returns the new manifest with the old development packages and the added ones. */
export function restoreManifest({ before, after }: PackageSides): string | undefined {
  const [then, now] = [parse(before), parse(after)];
  if (!then || !now) return undefined;
  const [old, own] = [toManifestFields(then["devDependencies"]), toManifestFields(now["devDependencies"])];
  const product = new Set(
    ["dependencies", "optionalDependencies"].flatMap((key) => Object.keys(toManifestFields(now[key]))),
  );
  const kept = Object.fromEntries(Object.entries(old).filter(([name]) => !product.has(name) && !BUILDS.test(name)));
  return `${JSON.stringify({ ...now, devDependencies: { ...own, ...kept } }, null, 2)}\n`;
}

/**
 * Returns npm's lock restored in the same way; undefined for any other format. Packages that the product needs too stay
 * new.
 */
export function restoreLock({ before, after }: PackageSides): string | undefined {
  const [then, now] = [parse(before), parse(after)];
  const [old, own] = [toManifestFields(then?.["packages"]), toManifestFields(now?.["packages"])];
  if (!then || !now || Object.keys(old).length === 0 || Object.keys(own).length === 0) return undefined;
  const isOurs = (entry: unknown) => entry === undefined || toManifestFields(entry)["dev"] === true;
  const back = Object.keys(old).filter(
    (key) => isDevelopment(old[key]) && isOurs(own[key]) && !BUILDS.test(getTopPackage(key)),
  );
  const moved = back.filter((key) => getVersion(old[key]) !== getVersion(own[key]));
  if (moved.length === 0) return after;
  // Entries below such a package belong to its new version.
  const isBelow = (key: string) => !Object.hasOwn(old, key) && moved.some((each) => key.startsWith(`${each}/`));
  const kept = Object.entries(own).filter(([key]) => !isBelow(key));
  const root = toManifestFields(own[""]);
  const asked = toManifestFields(
    parse(restoreManifest({ before: text(old[""]), after: text(root) }) ?? "")?.["devDependencies"],
  );
  const packages = {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(back.map((key) => [key, old[key]])),
    "": { ...root, ...(Object.keys(asked).length > 0 ? { devDependencies: asked } : {}) },
  };
  return `${JSON.stringify({ ...now, packages }, null, 2)}\n`;
}

function isDevelopment(entry: unknown): boolean {
  return toManifestFields(entry)["dev"] === true;
}

/** Returns the top-level package of the entry. */
function getTopPackage(key: string): string {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(key)?.[1] ?? "";
}

function getVersion(entry: unknown): string {
  return String(toManifestFields(entry)["version"]);
}

function text(value: unknown): string {
  return JSON.stringify(value ?? {});
}

function parse(json: string): LockFields | undefined {
  try {
    return toManifestFields(JSON.parse(json));
  } catch {
    return undefined;
  }
}

function toManifestFields(value: unknown): LockFields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as LockFields) : {};
}

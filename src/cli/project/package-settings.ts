import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { sep } from "node:path";
import type { PackageSettings, WithheldCure } from "../../core/checks/cure/cure-reach.ts";
import { pipSettings, unfoundByPip } from "./pip-settings.ts";
import { printedBy, type Variables } from "./printed-by.ts";

/**
 * Collects the user's settings for package downloads from the environment, npm and pip. Called only after a set-up
 * could not download, because starting these programs takes a while.
 */
export async function packageSettings(
  env: Variables = process.env,
  wanted: readonly string[] = [],
): Promise<PackageSettings> {
  const [npm, pip, unfound] = await Promise.all([npmSettings(env), pipSettings(env), unfoundByPip(env, wanted)]);
  const shared = proxies(env);
  const authorities = env["NODE_EXTRA_CA_CERTS"] ?? npm.cafile ?? env["SSL_CERT_FILE"];
  const node = { NODE_EXTRA_CA_CERTS: authorities, npm_config_registry: npm.registry, ...shared };
  const pips = { ...pip, ...shared };
  const uv = {
    SSL_CERT_FILE: pip["PIP_CERT"] ?? env["SSL_CERT_FILE"],
    UV_DEFAULT_INDEX: pip["PIP_INDEX_URL"],
    UV_INDEX: pip["PIP_EXTRA_INDEX_URL"],
    UV_FIND_LINKS: pip["PIP_FIND_LINKS"],
    ...shared,
  };
  const go = { SSL_CERT_FILE: env["SSL_CERT_FILE"], GOPROXY: env["GOPROXY"], ...shared };
  const withheld = [node, pips, uv, go].flatMap(withheldIn);
  const known = new Map(withheld.map((each) => [each.name, each]));
  const ways = { node: usable(node), pip: usable(pips), uv: usable(uv), go: usable(go) };
  return { ...ways, withheld: [...known.values()], ...(unfound.length > 0 ? { unfound } : {}) };
}

function proxies(env: Variables): Variables {
  const either = (name: string) => env[name] ?? env[name.toLowerCase()];
  return Object.fromEntries(["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"].map((name) => [name, either(name)]));
}

const PUBLIC_REGISTRY = "https://registry.npmjs.org/";

async function npmSettings(env: Variables): Promise<{ readonly cafile?: string; readonly registry?: string }> {
  const said = await printedBy("npm", ["config", "get", "cafile", "registry"], env);
  const value = (key: string) => new RegExp(`^${key}=(.+)$`, "m").exec(said)?.[1]?.trim();
  const [cafile, registry] = [value("cafile"), value("registry")];
  return {
    ...(cafile && cafile !== "null" ? { cafile } : {}),
    ...(registry && registry !== PUBLIC_REGISTRY ? { registry } : {}),
  };
}

function withheldIn(variables: Variables): readonly WithheldCure[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    const why = value === undefined ? undefined : whyNot(value);
    return why === undefined ? [] : [{ name, why }];
  });
}

function usable(variables: Variables): Readonly<Record<string, string>> {
  const kept = Object.entries(variables).flatMap(([name, value]) => {
    const there = value === undefined || whyNot(value) !== undefined ? "" : partsThere(value);
    return there === "" ? [] : [[name, there] as const];
  });
  return Object.fromEntries(kept);
}

function whyNot(value: string): string | undefined {
  if (value.split(/\s+/).some((word) => WITH_PASSWORD.test(word)))
    return "contains a password, which must not be stored in the repository";
  const inHome = value.split(/\s+/).some((word) => word.replace(/^file:\/\//, "").startsWith(`${homedir()}${sep}`));
  return inHome ? "is located in your home, which a set-up cannot read" : undefined;
}

/** Matches `https://me:secret@host`; a proxy may omit the scheme. */
const WITH_PASSWORD = /:\/\/[^/\s@]+@|^[^/\s@:]+:[^/\s@]+@/;

/** Keeps the existing paths of a list. */
function partsThere(value: string): string {
  if (isThere(value)) return value;
  return value
    .split(/\s+/)
    .filter((word) => isThere(word))
    .join(" ");
}

const isThere = (value: string): boolean => !value.startsWith("/") || existsSync(value);

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { sep } from "node:path";
import type { PackageSettings, WithheldCure } from "../../core/checks/cure/cure-network.ts";
import { listUnfoundPackages, readPipSettings } from "./pip-settings.ts";
import { type EnvironmentVariables, readProgramOutput } from "./program-output.ts";

/**
 * Collects the user's settings for package downloads from the environment, npm and pip. Called only after a set-up
 * could not download, because starting these programs takes a while.
 */
export async function collectPackageSettings(
  env: EnvironmentVariables = process.env,
  wanted: readonly string[] = [],
): Promise<PackageSettings> {
  const [npm, pip, unfound] = await Promise.all([
    readNpmSettings(env),
    readPipSettings(env),
    listUnfoundPackages(env, wanted),
  ]);
  const shared = readProxies(env);
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
  const withheld = [node, pips, uv, go].flatMap(listWithheld);
  const known = new Map(withheld.map((each) => [each.name, each]));
  const ways = { node: pickUsable(node), pip: pickUsable(pips), uv: pickUsable(uv), go: pickUsable(go) };
  return { ...ways, withheld: [...known.values()], ...(unfound.length > 0 ? { unfound } : {}) };
}

function readProxies(env: EnvironmentVariables): EnvironmentVariables {
  const getVariable = (name: string) => env[name] ?? env[name.toLowerCase()];
  return Object.fromEntries(["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"].map((name) => [name, getVariable(name)]));
}

const PUBLIC_REGISTRY = "https://registry.npmjs.org/";

async function readNpmSettings(
  env: EnvironmentVariables,
): Promise<{ readonly cafile?: string; readonly registry?: string }> {
  const output = await readProgramOutput("npm", ["config", "get", "cafile", "registry"], env);
  const value = (key: string) => new RegExp(`^${key}=(.+)$`, "m").exec(output)?.[1]?.trim();
  const [cafile, registry] = [value("cafile"), value("registry")];
  return {
    ...(cafile && cafile !== "null" ? { cafile } : {}),
    ...(registry && registry !== PUBLIC_REGISTRY ? { registry } : {}),
  };
}

function listWithheld(variables: EnvironmentVariables): readonly WithheldCure[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    const why = value === undefined ? undefined : explainWithheld(value);
    return why === undefined ? [] : [{ name, why }];
  });
}

function pickUsable(variables: EnvironmentVariables): Readonly<Record<string, string>> {
  const pairs = Object.entries(variables).flatMap(([name, value]) => {
    const there = value === undefined || explainWithheld(value) !== undefined ? "" : keepExistingPaths(value);
    return there === "" ? [] : [[name, there] as const];
  });
  return Object.fromEntries(pairs);
}

function explainWithheld(value: string): string | undefined {
  if (value.split(/\s+/).some((word) => WITH_PASSWORD.test(word)))
    return "contains a password, which must not be stored in the repository";
  const inHome = value.split(/\s+/).some((word) => word.replace(/^file:\/\//, "").startsWith(`${homedir()}${sep}`));
  return inHome ? "is located in your home, which a set-up cannot read" : undefined;
}

/** Matches `https://me:secret@host`; a proxy may omit the scheme. */
const WITH_PASSWORD = /:\/\/[^/\s@]+@|^[^/\s@:]+:[^/\s@]+@/;

/** Keeps the existing paths of a list. */
function keepExistingPaths(value: string): string {
  if (isAvailable(value)) return value;
  return value
    .split(/\s+/)
    .filter((word) => isAvailable(word))
    .join(" ");
}

const isAvailable = (value: string): boolean => !value.startsWith("/") || existsSync(value);

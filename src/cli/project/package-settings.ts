import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { sep } from "node:path";
import { promisify } from "node:util";
import type { PackageSettings, Withheld } from "../core/evidence/cure-reach.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * How this person reaches packages, from the environment, npm and pip. Asked only where a set-up could not: the programs
 * take a moment.
 */
export async function packageSettings(env: Variables = process.env): Promise<PackageSettings> {
  const [npm, pip] = await Promise.all([npmSettings(env), pipSettings(env)]);
  const shared = proxies(env);
  const authorities = env["NODE_EXTRA_CA_CERTS"] ?? npm.cafile ?? env["SSL_CERT_FILE"];
  const node = { NODE_EXTRA_CA_CERTS: authorities, npm_config_registry: npm.registry, ...shared };
  const pips = {
    PIP_CERT: env["PIP_CERT"] ?? pip.get("cert") ?? env["REQUESTS_CA_BUNDLE"] ?? env["SSL_CERT_FILE"],
    PIP_INDEX_URL: env["PIP_INDEX_URL"] ?? pip.get("index-url"),
    PIP_EXTRA_INDEX_URL: env["PIP_EXTRA_INDEX_URL"] ?? pip.get("extra-index-url"),
    PIP_FIND_LINKS: env["PIP_FIND_LINKS"] ?? pip.get("find-links"),
    ...shared,
  };
  const go = { SSL_CERT_FILE: env["SSL_CERT_FILE"], GOPROXY: env["GOPROXY"], ...shared };
  const withheld = [node, pips, go].flatMap(withheldIn);
  const known = new Map(withheld.map((each) => [each.name, each]));
  return { node: usable(node), pip: usable(pips), go: usable(go), withheld: [...known.values()] };
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

/** `global.index-url='…'`, `install.find-links='…'`; what comes from the environment counts before files. */
async function pipSettings(env: Variables): Promise<ReadonlyMap<string, string>> {
  const said = await printedBy("python3", ["-m", "pip", "config", "list"], env);
  const lines = said.split("\n").flatMap((line) => {
    const found = /^[\w:]+\.([\w-]+)=(['"])(.*)\2$/.exec(line.trim());
    // pip writes a list over several lines, as Python shows them.
    return found ? [[found[1] ?? "", (found[3] ?? "").replaceAll("\\n", " ").trim()] as const] : [];
  });
  return new Map(lines);
}

/** Not in the repository, whose own settings a set-up reads by itself. */
async function printedBy(program: string, args: readonly string[], env: Variables): Promise<string> {
  const options = { cwd: tmpdir(), env: { ...env, NO_UPDATE_NOTIFIER: "1" }, timeout: 10_000 };
  const { stdout } = await promisify(execFile)(program, args, options).catch(() => ({ stdout: "" }));
  return stdout;
}

function withheldIn(variables: Variables): readonly Withheld[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    const why = value === undefined ? undefined : whyNot(value);
    return why === undefined ? [] : [{ name, why }];
  });
}

function usable(variables: Variables): Readonly<Record<string, string>> {
  const kept = Object.entries(variables).filter(
    (entry): entry is [string, string] => !!entry[1] && whyNot(entry[1]) === undefined && isThere(entry[1]),
  );
  return Object.fromEntries(kept);
}

function whyNot(value: string): string | undefined {
  if (/:\/\/[^/\s@]+@/.test(value)) return "holds a password, which no file of the repository should";
  const inHome = value.startsWith(`${homedir()}${sep}`);
  return inHome ? "lies in your home, which a set-up does not see" : undefined;
}

const isThere = (value: string): boolean => !value.startsWith("/") || existsSync(value);

import type { UnfoundPackage } from "../../core/checks/cure/cure-network.ts";
import { type EnvironmentVariables, readAllOutput, readProgramOutput } from "./program-output.ts";

/** Returns every setting that determines where pip downloads from, as environment variables. */
export async function readPipSettings(env: EnvironmentVariables): Promise<EnvironmentVariables> {
  const output = await readConfigList(env);
  const own = Object.fromEntries(SETTINGS.map((name) => [name, env[name] ?? output.get(toPipKey(name))]));
  return { ...own, PIP_CERT: own["PIP_CERT"] ?? env["REQUESTS_CA_BUNDLE"] ?? env["SSL_CERT_FILE"] };
}

const SETTINGS = [
  "PIP_CERT",
  "PIP_INDEX_URL",
  "PIP_EXTRA_INDEX_URL",
  "PIP_FIND_LINKS",
  "PIP_NO_INDEX",
  "PIP_TRUSTED_HOST",
  "PIP_PROXY",
];

/** pip's files write `PIP_INDEX_URL` as `index-url`. */
const toPipKey = (name: string): string => name.slice("PIP_".length).toLowerCase().replaceAll("_", "-");

/** Not every Python includes pip, and `pip` may belong to another Python than `python3`. */
const PIP_COMMANDS = [
  { program: "python3", args: ["-m", "pip"] },
  { program: "pip", args: [] },
  { program: "pip3", args: [] },
];

/**
 * Returns the packages that the user's own pip does not find either, with the versions it finds; copying the user's
 * settings would not help for them. Packages for which pip gives no result are skipped.
 */
export async function listUnfoundPackages(
  env: EnvironmentVariables,
  packages: readonly string[],
): Promise<readonly UnfoundPackage[]> {
  const looked = await Promise.all([...new Set(packages)].map((wanted) => findPackage(env, wanted)));
  return looked.flatMap((each) => each ?? []);
}

/** Queries versions without downloading: a download may build the package and thereby run its code. */
async function findPackage(env: EnvironmentVariables, wanted: string): Promise<UnfoundPackage | undefined> {
  const [name = ""] = /^[\w.-]+/.exec(wanted) ?? [];
  for (const { program, args } of PIP_COMMANDS) {
    const output = await readAllOutput(program, [...args, "index", "versions", "--retries", "1", name], env);
    const versions = /^Available versions: (.*)$/m.exec(output)?.[1]?.split(/,\s*/);
    if (versions) return (await hasFittingVersion(env, wanted, versions)) ? undefined : { wanted, versions };
    if (/No matching distribution found/.test(output)) return { wanted, versions: [] };
  }
  return undefined;
}

/** If the versions cannot be compared, the package is assumed to be available. */
async function hasFittingVersion(
  env: EnvironmentVariables,
  wanted: string,
  versions: readonly string[],
): Promise<boolean> {
  return (await readProgramOutput("python3", ["-I", "-c", COMPARE_SCRIPT, wanted, ...versions], env)).trim() !== "no";
}

/** Compares versions with pip's own implementation. */
const COMPARE_SCRIPT = `import sys
from pip._vendor.packaging.requirements import Requirement
wanted = Requirement(sys.argv[1]).specifier
print("yes" if any(wanted.contains(each) for each in sys.argv[2:]) else "no")`;

/** Parses lines such as `global.index-url='…'`; `install` entries come later and override. */
async function readConfigList(env: EnvironmentVariables): Promise<ReadonlyMap<string, string>> {
  for (const { program, args } of PIP_COMMANDS) {
    const output = await readProgramOutput(program, [...args, "config", "list"], env);
    if (output.trim() !== "") return parseConfigList(output);
  }
  return new Map();
}

function parseConfigList(output: string): ReadonlyMap<string, string> {
  const lines = output.split("\n").flatMap((line) => {
    const found = /^(?:global|install)\.([\w-]+)=(['"])(.*)\2$/.exec(line.trim());
    // pip prints a list as a Python string with escaped line breaks.
    return found ? [[found[1] ?? "", (found[3] ?? "").replaceAll("\\n", " ").trim()] as const] : [];
  });
  return new Map(lines);
}

import type { UnfoundPackage } from "../../core/checks/cure/cure-reach.ts";
import { heardFrom, printedBy, type Variables } from "./printed-by.ts";

/** Everything that decides where pip gets packages from, as the variables that say the same. */
export async function pipSettings(env: Variables): Promise<Variables> {
  const said = await configList(env);
  const own = Object.fromEntries(SETTINGS.map((name) => [name, env[name] ?? said.get(keyOf(name))]));
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

/** `PIP_INDEX_URL` is `index-url` in its files. */
const keyOf = (name: string): string => name.slice("PIP_".length).toLowerCase().replaceAll("_", "-");

/** Not every Python has a pip of its own, and a pip need not belong to the first Python. */
const WAYS = [
  { program: "python3", args: ["-m", "pip"] },
  { program: "pip", args: [] },
  { program: "pip3", args: [] },
];

/**
 * Those that this person's own pip does not find either, with the versions that it does: settings of theirs would not
 * help. Nothing is said of one that pip says nothing about.
 */
export async function unfoundByPip(env: Variables, packages: readonly string[]): Promise<readonly UnfoundPackage[]> {
  const looked = await Promise.all([...new Set(packages)].map((wanted) => lookFor(env, wanted)));
  return looked.flatMap((each) => each ?? []);
}

/** Asked without getting it: what is got may be built, and that runs what it brings. */
async function lookFor(env: Variables, wanted: string): Promise<UnfoundPackage | undefined> {
  const [name = ""] = /^[\w.-]+/.exec(wanted) ?? [];
  for (const { program, args } of WAYS) {
    const said = await heardFrom(program, [...args, "index", "versions", "--retries", "1", name], env);
    const versions = /^Available versions: (.*)$/m.exec(said)?.[1]?.split(/,\s*/);
    if (versions) return (await fits(env, wanted, versions)) ? undefined : { wanted, versions };
    if (/No matching distribution found/.test(said)) return { wanted, versions: [] };
  }
  return undefined;
}

/** Where nobody can compare them, what is there may be what is wanted. */
async function fits(env: Variables, wanted: string, versions: readonly string[]): Promise<boolean> {
  return (await printedBy("python3", ["-I", "-c", FITS, wanted, ...versions], env)).trim() !== "no";
}

/** Whether one of the versions is what is wanted, as pip itself compares them. */
const FITS = `import sys
from pip._vendor.packaging.requirements import Requirement
wanted = Requirement(sys.argv[1]).specifier
print("yes" if any(wanted.contains(each) for each in sys.argv[2:]) else "no")`;

/** `global.index-url='…'`; what is said for `install` comes after it and counts more. */
async function configList(env: Variables): Promise<ReadonlyMap<string, string>> {
  for (const { program, args } of WAYS) {
    const said = await printedBy(program, [...args, "config", "list"], env);
    if (said.trim() !== "") return settingsIn(said);
  }
  return new Map();
}

function settingsIn(said: string): ReadonlyMap<string, string> {
  const lines = said.split("\n").flatMap((line) => {
    const found = /^(?:global|install)\.([\w-]+)=(['"])(.*)\2$/.exec(line.trim());
    // pip writes a list over several lines, as Python shows them.
    return found ? [[found[1] ?? "", (found[3] ?? "").replaceAll("\\n", " ").trim()] as const] : [];
  });
  return new Map(lines);
}

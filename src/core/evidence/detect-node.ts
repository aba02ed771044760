import { z } from "zod";
import type { Detected, DetectedSetup, ProjectFiles } from "./detected.ts";
import { isNoOp } from "./shell-line.ts";

const FROM = "package.json";

/** Without those fields it is a package all the same. */
const Package = z.object({
  scripts: z.record(z.string(), z.unknown()).optional().catch(undefined),
  packageManager: z.string().optional().catch(undefined),
});
type Package = z.infer<typeof Package>;

/** The check → the script's usual names, the first that exists counts. */
const SCRIPTS = [
  ["build", ["build"]],
  ["typecheck", ["typecheck", "type-check", "check-types"]],
  ["lint", ["lint"]],
  ["test", ["test"]],
] as const;

export function detectNode({ files, names }: ProjectFiles): Detected {
  const found = packageOf(files.get(FROM));
  const manager = found && managerOf(found, names);
  if (!manager) return { commands: [] };
  const commands = SCRIPTS.flatMap(([name, scripts]) => {
    const script = scripts.find((each) => isCheck(found.scripts?.[each]));
    return script ? [{ name, run: `${manager.name} run ${script}`, from: FROM }] : [];
  });
  return { commands, ...(manager.setup ? { setup: manager.setup } : {}) };
}

function packageOf(text: string | undefined): Package | undefined {
  if (text === undefined) return undefined;
  try {
    return Package.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A placeholder shows nothing, and what watches files never ends. */
function isCheck(script: unknown): boolean {
  if (typeof script !== "string" || isNoOp(script)) return false;
  return !/(?:^| )--watch(?:All)?(?: |$)/.test(script);
}

type Manager = { readonly name: string; readonly setup?: DetectedSetup };

const LOCKS = [
  ["pnpm", "pnpm-lock.yaml"],
  ["yarn", "yarn.lock"],
  ["npm", "package-lock.json"],
  ["npm", "npm-shrinkwrap.json"],
] as const;
const OTHERS = ["bun.lock", "bun.lockb", "deno.lock"];

/** What the package names, otherwise whose lock file there is; nothing where it is one that we do not know. */
function managerOf(found: Package, names: ReadonlySet<string>): Manager | undefined {
  const [named, version = ""] = found.packageManager?.split("@") ?? [];
  const locks = LOCKS.filter(([, file]) => names.has(file));
  const lock = named === undefined ? locks[0] : locks.find(([name]) => name === named);
  if (named === undefined && !lock && OTHERS.some((file) => names.has(file))) return undefined;
  const name = named ?? lock?.[0] ?? "npm";
  if (name !== "npm" && name !== "pnpm" && name !== "yarn") return undefined;
  if (!lock) return { name };
  const classic = version === "" ? !names.has(".yarnrc.yml") : version.startsWith("1.");
  const run = { npm: "npm ci", pnpm: "pnpm install --frozen-lockfile", yarn: yarnInstall(classic) }[name];
  return { name, setup: { run, lockFile: lock[1], from: FROM } };
}

function yarnInstall(classic: boolean): string {
  return `yarn install ${classic ? "--frozen-lockfile" : "--immutable"}`;
}

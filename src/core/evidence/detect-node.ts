import { z } from "zod";
import type { Detected, ProjectFiles } from "./detected.ts";
import { managerOf } from "./package-manager.ts";
import { isNoOp } from "./shell-line.ts";

const FROM = "package.json";
const Packages = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** Without those fields it is a package all the same. */
const Package = z.object({
  scripts: Packages,
  packageManager: z.string().optional().catch(undefined),
  dependencies: Packages,
  devDependencies: Packages,
  peerDependencies: Packages,
  workspaces: z.unknown().optional(),
});
export type Package = z.infer<typeof Package>;

/** The check → the script's usual names, the first that exists counts. */
const SCRIPTS = [
  ["build", ["build"]],
  ["typecheck", ["typecheck", "type-check", "check-types", "types:check", "check:types"]],
  ["lint", ["lint"]],
  ["test", ["test"]],
] as const;

export function detectNode(project: ProjectFiles): Detected {
  const found = packageOf(project.files.get(FROM));
  const manager = found && managerOf(found, project);
  if (!manager) return { commands: [] };
  const commands = SCRIPTS.flatMap(([name, scripts]) => {
    const script = scripts.find((each) => isCheck(found.scripts?.[each]));
    return script ? [{ name, run: `${manager.runs} ${script}`, from: FROM }] : [];
  });
  return { commands, ...(manager.setup ? { setup: { ...manager.setup, from: FROM } } : {}) };
}

/** The names of all scripts of a package.json. */
export function scriptsIn(text: string | undefined): readonly string[] {
  return Object.keys(packageOf(text)?.scripts ?? {});
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

import { isNoOp } from "../../../tamper/shell-line.ts";
import type { DetectedProject, ProjectFiles } from "../../detected.ts";
import type { Ecosystem } from "../ecosystem.ts";
import { type PackageFile, parsePackageFile } from "../package-file.ts";
import { detectPackageManager, MANAGER_PROGRAMS, type PackageManager } from "./package-manager.ts";
import { formatWorkspaceScript, listWorkspaceMembers, type Member } from "./workspaces.ts";

const FROM = "package.json";

/** Check → common script names; the first existing one is used. */
const SCRIPTS = [
  ["build", ["build", "compile"]],
  [
    "typecheck",
    ["typecheck", "type-check", "check-types", "types:check", "check:types", "type:check", "ts:check", "tsc"],
  ],
  ["lint", ["lint", "lint:check", "eslint"]],
  ["test", ["test", "test:unit", "unit", "tests"]],
] as const;

export const node: Ecosystem = {
  name: "node",
  marks: [FROM],
  reads: ["pnpm-workspace.yaml", "pnpm-lock.yaml", ".yarnrc.yml"],
  programs: MANAGER_PROGRAMS,
  find(project) {
    const found = parsePackageFile(project.files.get(FROM));
    if (!found) return { commands: [], unknown: [`${FROM} cannot be read`] };
    const manager = detectPackageManager(found, project);
    if (typeof manager === "string") return { commands: [], unknown: [manager] };
    const members = listWorkspaceMembers(found, project);
    const commands = SCRIPTS.flatMap(([name, scripts]) => {
      const run =
        findScriptLine(scripts, { found, manager, members }) ??
        (name === "test" ? findBunTests(manager, project) : undefined);
      return run === undefined ? [] : [{ name, run, from: FROM }];
    });
    const setup = manager.setup ? { setup: { ...manager.setup, from: FROM } } : {};
    return { commands, ...setup, ...reportUnknownScripts(found, commands) };
  },
};

/** Lists all script names of a package.json. */
export function listScripts(text: string | undefined): readonly string[] {
  return Object.keys(parsePackageFile(text)?.scripts ?? {});
}

type NodePackage = {
  readonly found: PackageFile;
  readonly manager: PackageManager;
  readonly members: readonly Member[];
};

/** Uses the package's own script, else those of the packages in its workspace. */
function findScriptLine(scripts: readonly string[], { found, manager, members }: NodePackage): string | undefined {
  const own = scripts.find((each) => isCheck(found.scripts?.[each]));
  if (own !== undefined) return `${manager.before}${manager.name} run ${own}`;
  const checked = members.map((member) => ({
    ...member,
    scripts: Object.fromEntries(Object.entries(member.scripts).filter(([, line]) => isCheck(line))),
  }));
  const lines = scripts.map((each) => formatWorkspaceScript(each, manager, checked));
  return lines.find((line) => line !== undefined);
}

/** Bun finds tests by itself, so projects often have no script for it. */
function findBunTests({ name, before }: PackageManager, { paths }: ProjectFiles): string | undefined {
  const isTest = (path: string): boolean =>
    /[._](?:test|spec)\.[cm]?[jt]sx?$/.test(path) && !path.includes("node_modules/");
  return name === "bun" && paths.some(isTest) ? `${before}bun test` : undefined;
}

function reportUnknownScripts({ scripts = {} }: PackageFile, commands: DetectedProject["commands"]) {
  const names = Object.keys(scripts);
  if (commands.length > 0 || names.length === 0) return {};
  return { unknown: [`no script of ${FROM} is a known check: ${names.slice(0, 12).join(", ")}`] };
}

/** Excludes placeholders, which prove nothing, and watchers, which never end. */
function isCheck(script: unknown): boolean {
  if (typeof script !== "string" || isNoOp(script)) return false;
  return !/(?:^| )--watch(?:All)?(?: |$)/.test(script);
}

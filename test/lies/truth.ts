import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Change } from "./entry.ts";
import { PROGRAM_PATH } from "./program-path.ts";
import type { Project } from "./projects/project.ts";

export type Question = {
  readonly project: Project;
  readonly repo: string;
  readonly commit: string;
  /** Includes all files that the commit adds. */
  readonly beside?: boolean;
};

/** Lists tests that pass at the base and do not pass with only the committed sources there. */
export function brokenIn({ project, repo, commit, beside = false }: Question): readonly string[] {
  return missingIn(project, (dir) => {
    if (beside) {
      extract(repo, [commit], dir);
      put(dir, besideSources(project));
    }
    for (const folder of project.sources) {
      rmSync(join(dir, folder), { recursive: true, force: true });
      if (isThere(repo, commit, folder)) extract(repo, [commit, folder], dir);
    }
  });
}

/** Does the same for work that is not committed. */
export function brokenBy(project: Project, work: Change, beside = false): readonly string[] {
  const sources = Object.entries(work).filter(([path]) => isSource(project, path));
  return missingIn(project, (dir) => {
    put(dir, beside ? work : Object.fromEntries(sources));
    if (beside) put(dir, besideSources(project));
  });
}

const isSource = ({ sources }: Project, path: string): boolean =>
  sources.some((each) => path === each || path.startsWith(`${each}/`));

const besideSources = (project: Project): Change =>
  Object.fromEntries(Object.entries(project.files).filter(([path]) => !isSource(project, path)));

const atBase = new Map<Project, readonly string[]>();

function missingIn(project: Project, change: (dir: string) => unknown): readonly string[] {
  const before = atBase.get(project) ?? namesOf(project, () => {});
  atBase.set(project, before);
  const after = new Set(namesOf(project, change));
  return before.filter((name) => !after.has(name));
}

function namesOf(project: Project, change: (dir: string) => unknown): string[] {
  return inFolder(project, (dir) => {
    change(dir);
    const [command = "", ...args] = project.exam;
    const { output } = runIn(dir, command, args);
    return [...output.matchAll(project.passed)].map((match) => match[1] ?? "");
  });
}

/** Writes the project's files to a folder for the duration of the call. */
export function inFolder<Seen>(project: Project, look: (dir: string) => Seen): Seen {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-truth-"));
  try {
    put(dir, project.files);
    return look(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export function put(dir: string, files: Change): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    if (text === null) rmSync(join(dir, path), { force: true });
    else writeFileSync(join(dir, path), text);
  }
}

export function runIn(cwd: string, command: string, args: readonly string[]): { passed: boolean; output: string } {
  const env = {
    PATH: PROGRAM_PATH,
    HOME: join(cwd, ".home"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: "utf8", timeout: 300_000 });
  return { passed: status === 0, output: `${stdout}\n${stderr}` };
}

function extract(repo: string, what: readonly string[], dir: string): void {
  const archive = execFileSync("git", ["-C", repo, "archive", ...what]);
  execFileSync("tar", ["-x", "-C", dir], { input: archive });
}

const isThere = (repo: string, tree: string, folder: string): boolean =>
  execFileSync("git", ["-C", repo, "ls-tree", tree, folder], { encoding: "utf8" }) !== "";

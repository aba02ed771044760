import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Project } from "./projects/project.ts";

export type Question = {
  readonly project: Project;
  readonly repo: string;
  readonly base: string;
  readonly commit: string;
};

/** Tests that pass at the base and do not pass when only the committed sources are put there. */
export function brokenIn({ project, repo, base, commit }: Question): readonly string[] {
  const before = passedOn(project, { repo, base, sources: base });
  const after = new Set(passedOn(project, { repo, base, sources: commit }));
  return before.filter((name) => !after.has(name));
}

type Composed = { readonly repo: string; readonly base: string; readonly sources: string };

function passedOn({ sources: folders, exam, passed }: Project, { repo, base, sources }: Composed): string[] {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-truth-"));
  try {
    const at = (tree: string, ...paths: readonly string[]): void => {
      const archive = execFileSync("git", ["-C", repo, "archive", tree, ...paths]);
      execFileSync("tar", ["-x", "-C", dir], { input: archive });
    };
    at(base);
    for (const folder of folders) rmSync(join(dir, folder), { recursive: true });
    at(sources, ...folders.filter((folder) => isThere(repo, sources, folder)));
    mkdirSync(join(dir, ".home"));
    const [command = "", ...args] = exam;
    const { stdout, stderr } = spawnSync(command, args, {
      cwd: dir,
      env: environment(dir),
      encoding: "utf8",
      timeout: 60_000,
    });
    return [...`${stdout}\n${stderr}`.matchAll(passed)].map((match) => match[1] ?? "");
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const isThere = (repo: string, tree: string, folder: string): boolean =>
  execFileSync("git", ["-C", repo, "ls-tree", tree, folder], { encoding: "utf8" }) !== "";

const environment = (dir: string): NodeJS.ProcessEnv => ({
  PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
  HOME: join(dir, ".home"),
});

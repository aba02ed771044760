import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { git } from "../git.ts";
import type { Case, FileTexts } from "./case.ts";

/** Reads the cases of a checkout of taipei49314/checkwash. Nothing of it is copied into this repository. */
export function readCheckwashCases(checkout: string): readonly Case[] {
  const at = (name: string) => join(checkout, "benchmarks", name);
  return [
    ...readDecoyCases(at("decoy"), "adversarial"),
    ...readDecoyCases(at("decoy"), "natural"),
    ...readTamperCases(at("tamper/cases")),
    ...readRefactorCases(at("refactors/cases")),
  ];
}

const Arm = z.object({ runs: z.array(z.object({ task: z.string(), diff: z.string() })) });

/** Recorded changes of agents that were asked to make a red suite pass: `adversarial` ones cheat, `natural` ones fix. */
function readDecoyCases(folder: string, arm: "adversarial" | "natural"): readonly Case[] {
  const file = join(folder, `arm-${arm}-2026-07-30.json`);
  if (!existsSync(file)) return [];
  const { runs } = Arm.parse(JSON.parse(readFileSync(file, "utf8")));
  const isHonest = arm === "natural";
  const tasks = mkdtempSync(join(tmpdir(), "signalbox-decoy-"));
  try {
    execFileSync("python3", [join(folder, "make_tasks.py"), tasks], { stdio: "ignore" });
    return runs.map(({ task, diff }) => {
      const repo = join(tasks, task);
      const before = readFiles(repo);
      execFileSync("git", ["apply", "-"], { cwd: repo, input: diff });
      const after = readFiles(repo);
      git(repo, "checkout", "-q", ".");
      const corpus = isHonest ? "decoy, honest fixes" : "decoy, cheats";
      return { corpus, name: task, isHonest, declared: "fix" as const, before, after };
    });
  } finally {
    rmSync(tasks, { recursive: true, force: true });
  }
}

/** A bug that nobody fixed: the old tests fail, the new ones pass, and the source is the same. */
function readTamperCases(folder: string): readonly Case[] {
  return listFolders(folder).map((name) => {
    const source = readFiles(join(folder, name, "src"), "src");
    return {
      corpus: "tamper",
      name,
      isHonest: false,
      declared: undefined,
      before: merge(source, readFiles(join(folder, name, "before"))),
      after: merge(source, readFiles(join(folder, name, "after"))),
    };
  });
}

/** Tests that were restructured: both forms pass on the good source, and both catch the seeded bug. */
function readRefactorCases(folder: string): readonly Case[] {
  return listFolders(folder).map((name) => {
    const source = readFiles(join(folder, name, "PROD-GOOD"));
    return {
      corpus: "refactors",
      name,
      isHonest: true,
      declared: undefined,
      before: merge(source, readFiles(join(folder, name, "BEFORE"))),
      after: merge(source, readFiles(join(folder, name, "AFTER"))),
    };
  });
}

function listFolders(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function readFiles(folder: string, prefix = ""): FileTexts {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/(?:^|\/)(?:\.git|__pycache__|\.pytest_cache)\//.test(path));
  return new Map(paths.map((path) => [join(prefix, path), readFileSync(join(folder, path), "utf8")]));
}

function merge(...parts: readonly FileTexts[]): FileTexts {
  return new Map(parts.flatMap((part) => [...part]));
}

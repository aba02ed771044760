import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { createBenchEngine } from "../bench-engine.ts";
import { git } from "../git.ts";
import type { Case, FileTexts } from "./case.ts";
import type { CaseRow } from "./case-row.ts";

// Plugins that happen to be installed here are not loaded: they cost more time than the tests.
const COMMAND = { name: "test", run: "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTHONPATH=src python3 -m pytest -q" };

/** Judges each case as a run would: the state before is the base, the state after is the work to commit. */
export async function* playCases(cases: readonly Case[], dir: string): AsyncGenerator<CaseRow, void> {
  if (cases.length === 0) return;
  const repo = join(dir, "cases.git");
  git(dir, "init", "-q", "--bare", "-b", "base-0", repo);
  execFileSync("git", ["fast-import", "--quiet"], { cwd: repo, input: cases.map(formatCommits).join("") });
  const engine = await createBenchEngine({ name: "cases", dir: repo, commands: [COMMAND] }, dir);
  for (const [index, { corpus, name, isHonest, declared }] of cases.entries()) {
    const base = git(repo, "rev-parse", `base-${index}`).trim();
    const tree = git(repo, "rev-parse", `head-${index}^{tree}`).trim();
    const { outcome, kinds, told } = await engine.judge({ base, tree, declared });
    const date = new Date().toISOString().slice(0, 10);
    yield { corpus, name, isHonest, outcome, kinds: [...kinds], told: [...told], date };
  }
}

/** Both states as commits without a parent, in the form that `git fast-import` reads. */
function formatCommits({ before, after, name }: Case, index: number): string {
  return formatCommit(`base-${index}`, before, name) + formatCommit(`head-${index}`, after, name);
}

function formatCommit(branch: string, files: FileTexts, message: string): string {
  const entries = [...files].map(([path, text]) => `M 100644 inline ${path}\n${formatData(text)}`);
  const author = "committer truth <truth@example.invalid> 0 +0000";
  return [`commit refs/heads/${branch}`, author, formatData(message) + entries.join(""), ""].join("\n");
}

function formatData(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

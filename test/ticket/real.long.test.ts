import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Json } from "../../src/core/text/json.ts";
import { runOf, type Scene, sceneOf } from "../crash/real-run.ts";
import { world } from "../worlds/ticket.ts";
import type { RealWorld } from "../worlds/world.ts";

const BRANCH = "feature/ABC-12_add_three_small";
const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) scene.remove();
});
function scene(more: Partial<RealWorld> = {}): Scene {
  const made = sceneOf({ ...world, ...more });
  scenes.push(made);
  return made;
}
const put = ({ repo }: Scene, path: string, text: string): void => {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), text);
};
const book = ({ repo }: Scene, path: string): string => readFileSync(join(repo, "prompts/ABC-12", path), "utf8");
const listFiles = ({ git }: Scene): string[] =>
  git("diff-tree", "-r", "--name-only", "--no-commit-id", BRANCH).split("\n").sort();

test("a ticket is built and committed on its own branch; the checkout has its files and is clean", async () => {
  // A repository that has had a ticket before: its own rules ignore the ticket files.
  const files = { ...world.files, ".gitignore": "prompts/\ndocs/docs_cache_state.yaml\n" };
  const at = scene({ files });
  put(at, "notes.md", "mine\n");
  at.git("stash", "-u", "-q");
  const before = [at.git("status", "--porcelain=v2", "--branch"), at.git("stash", "list"), at.git("ls-files", "-s")];
  const { code, out } = await runOf(at);
  expect(code, out.slice(-2_000)).toBe(0);
  const docs = ["docs/ARCHITECTURE.md", "docs/CODE_STYLE.md", "docs/FINDINGS.md"];
  expect(listFiles(at)).toEqual([...docs, "src/greet.js", "src/shout.js", "src/wave.js"]);
  expect(at.git("log", "-1", "--format=%s", BRANCH)).toMatch(/^feat\(ABC-12\): complete iteration 1 — Add three/);
  expect(at.git("rev-parse", `${BRANCH}^`)).toBe(at.git("rev-parse", "main"));
  const after = [at.git("status", "--porcelain=v2", "--branch"), at.git("stash", "list"), at.git("ls-files", "-s")];
  expect(after).toEqual(before);
  expect(book(at, "progress.yaml")).toContain("status: ACCEPTED");
  expect(book(at, "iteration_0/plan.md")).toContain("# Plan");

  const again = await runOf(at);
  expect(again.code).toBe(0);
  expect(again.out).toContain("ABC-12 is already ACCEPTED");
  expect(again.out).not.toContain('"agent.started"');
});

test("uncommitted documents are committed with the ticket and stay in place", async () => {
  const at = scene();
  put(at, "docs/notes.md", "mine\n");
  const { code, out } = await runOf(at);
  expect(code, out.slice(-2_000)).toBe(0);
  expect(at.git("show", `${BRANCH}:docs/notes.md`)).toBe("mine");
  expect(at.git("show", `${BRANCH}:.gitignore`)).toBe("prompts/\ndocs/docs_cache_state.yaml");
  expect(at.git("status", "--porcelain")).toBe("?? docs/");
  const excluded = readFileSync(join(at.repo, ".git/info/exclude"), "utf8").split("\n");
  expect(excluded).toContain("/prompts/ABC-12/");
  expect(excluded).not.toContain("/prompts/");
  expect(readFileSync(join(at.repo, "docs/notes.md"), "utf8")).toBe("mine\n");
});

test("a foreign branch with the ticket's name is not changed, and no code is written", async () => {
  const at = scene();
  at.git("checkout", "-qb", BRANCH);
  at.git("commit", "-q", "--allow-empty", "-m", "work of another kind");
  at.git("checkout", "-q", "main");
  const tip = at.git("rev-parse", BRANCH);
  const { code, out } = await runOf(at);
  expect(code).toBe(1);
  expect(out).toContain("does not belong to this ticket");
  expect(out).not.toContain('"role":"Developer"');
  expect(at.git("rev-parse", BRANCH)).toBe(tip);
});

test("a planner that writes code is stopped, logged as a violation, and none of its code is kept", async () => {
  const sly = { write: { path: "src/sly.js", content: "x\n" } };
  const agents = world.agents.map((agent): Json => {
    // Each rule of a scripted-agents file is a mapping; `do` is a list.
    const rule = agent as { readonly role: string; readonly do?: readonly Json[] };
    return rule.role === "Planner" ? { ...rule, do: [...(rule.do ?? []), sly] } : rule;
  });
  const at = scene({ agents });
  const { code, out } = await runOf(at);
  expect(code).toBe(1);
  expect(out).not.toContain('"role":"Developer"');
  expect(book(at, "log.jsonl")).toContain('"level":"CRITICAL_VIOLATION"');
  expect(book(at, "log.jsonl")).toContain("src/sly.js");
  expect(existsSync(join(at.repo, "src/sly.js"))).toBe(false);
});

test("files of an older model in the ignored folder stop the run, and stay unchanged", async () => {
  const at = scene({ files: { ...world.files, ".gitignore": "prompts/\n" } });
  put(at, "prompts/ABC-12/progress.yaml", "jira: ABC-12\n");
  put(at, "prompts/ABC-12/task_packets/T1.yaml", "x: 1\n");
  const { code, out } = await runOf(at);
  expect(code).toBe(1);
  expect(out).toContain("prompts/ABC-12/task_packets/T1.yaml");
  expect(out).not.toContain('"agent.started"');
  expect(book(at, "progress.yaml")).toBe("jira: ABC-12\n");
});

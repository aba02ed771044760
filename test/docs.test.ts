import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { ERRORS } from "../src/core/failure/errors.ts";

const ROOT = resolve(import.meta.dirname, "..");
const run = promisify(execFile);

type Page = { readonly name: string; readonly text: string };

const pages: readonly Page[] = [
  ...readdirSync(ROOT).filter((file) => file.endsWith(".md")),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
].map((name) => ({ name, text: readFileSync(join(ROOT, name), "utf8") }));

const readPage = (name: string): string => pages.find((each) => each.name === name)?.text ?? "";

describe("errors", () => {
  test("docs/reference/errors.md has a heading and the exit code of every error code", () => {
    const listed = [...readPage("docs/reference/errors.md").matchAll(/^## ([A-Z_]+)\n\nExit (\d+)\./gm)];
    expect(Object.fromEntries(listed.map(([, code, exit]) => [code, Number(exit)]))).toEqual({ ...ERRORS });
  });

  test("the pages that `npm run docs` generates are current", async () => {
    const script = join(ROOT, "scripts/docs.mjs");
    await expect(run(process.execPath, [script, "--check"])).resolves.toMatchObject({ stdout: "" });
  });
});

describe("links and paths", () => {
  test("every relative link points to a file, and every fragment to one of its headings", () => {
    expect(pages.flatMap((each) => findBrokenLinks(each))).toEqual([]);
  });

  test("every path of the sources that a page names exists", () => {
    const named = /(?<![\w./-])(?:src|test|examples|bench|scripts|bin)\/[\w./-]*[\w/]/g;
    const missing = pages.flatMap(({ name, text }) =>
      [...text.matchAll(named)].filter(([path]) => !existsSync(join(ROOT, path))).map(([path]) => `${name}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test("every page is in the index, and the package contains all of them with their examples", () => {
    const tops = pages.filter(({ name }) => /^docs\/(?!inside\/decisions)/.test(name) && name !== "docs/README.md");
    const index = readPage("docs/README.md");
    expect(tops.filter(({ name }) => !index.includes(`(${name.slice("docs/".length)})`))).toEqual([]);
    // This repository's own package.json.
    const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: readonly string[] };
    expect(files).toEqual(expect.arrayContaining(["docs", "examples", "CHANGELOG.md"]));
  });

  test("every npm script that a page names exists", () => {
    // This repository's own package.json.
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
    const named = pages.flatMap(({ text }) =>
      [...text.matchAll(/npm (?:run ([a-z]+)|(test))\b/g)].map((match) => match[1] ?? match[2] ?? ""),
    );
    expect(named).toEqual(expect.arrayContaining(["demo", "test", "check"]));
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });
});

describe("commands", () => {
  test("docs/reference/cli.md describes exactly the commands of the program", async () => {
    const described = [...readPage("docs/reference/cli.md").matchAll(/^### signalbox ([a-z-]+)$/gm)].map(
      (match) => match[1],
    );
    const { stdout } = await run(process.execPath, [join(ROOT, "bin/signalbox.js"), "--help"]);
    const offered = [...stdout.matchAll(/^ {2}([a-z][a-z-]*)(?: |$)/gm)].map((match) => match[1]);
    const commands = offered.filter((name) => name !== "help");
    expect([...new Set(described)].sort()).toEqual([...new Set(commands)].sort());
  });
});

describe("examples", () => {
  const shown = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/<!-- from (examples\/[\w.-]+) -->\n\n```\w+\n([\s\S]*?)```/g)].map((match) => {
      const [, file = "", code = ""] = match;
      return { name, file, code: code.trimEnd().split("\n") };
    }),
  );

  test("every code excerpt on a page equals the lines of its example", () => {
    expect(shown.length).toBeGreaterThan(1);
    const wrong = shown.filter(({ file, code }) => !containsLines(readFileSync(join(ROOT, file), "utf8"), code));
    expect(wrong.map(({ name, file, code }) => `${name} does not show ${file}: ${code[0]}`)).toEqual([]);
  });

  test("the pipeline in the README runs to its commit", async () => {
    const repo = await createExampleRepository();
    const agents = join(ROOT, "examples/scripted-agents.yaml");
    const flags = ["--trust", "--approvals", "autonomous", "--agents", agents, "--json"];
    const asked = [join(ROOT, "bin/signalbox.js"), "-C", repo, "run", "tidy", "Give the README a title", ...flags];
    const beside = join(repo, "..");
    const own = { XDG_STATE_HOME: join(beside, "state"), XDG_CACHE_HOME: join(beside, "cache") };
    const env = { ...process.env, ...own, SIGNALBOX_NO_CHECKS: "an example" };
    const { stdout } = await run(process.execPath, asked, { env });
    // --json prints one event per line.
    const end = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as { type: string; status: string };
    expect(end).toMatchObject({ type: "run.finished", status: "done", exit: 0, commit: expect.any(String) });
  });
});

function findBrokenLinks({ name, text }: Page): string[] {
  return [...text.replace(/```[\s\S]*?```/g, "").matchAll(/(?<!\\)\]\(([^)\s]+)\)/g)]
    .map((match) => match[1] ?? "")
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = "", fragment] = link.split("#");
      const target = path === "" ? name : join(dirname(name), path);
      if (!existsSync(join(ROOT, target))) return true;
      return fragment !== undefined && !listAnchors(readPage(target)).includes(fragment);
    })
    .map((link) => `${name}: ${link}`);
}

function listAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** Returns true if the lines occur consecutively in the text with a common indentation. */
function containsLines(text: string, code: readonly string[]): boolean {
  const lines = text.split("\n");
  return lines.some((line, at) => {
    const indent = line.length - line.trimStart().length;
    return code.every((each, index) => lines[at + index] === (each === "" ? "" : " ".repeat(indent) + each));
  });
}

async function createExampleRepository(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "signalbox-docs-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const repo = join(home, "repo");
  mkdirSync(join(repo, ".signalbox/pipelines"), { recursive: true });
  copyFileSync(join(ROOT, "examples/own-pipeline.ts"), join(repo, ".signalbox/pipelines/tidy.ts"));
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=Test", "-c", "user.email=test@localhost", ...args], { cwd: repo });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", ".");
  await git("commit", "--quiet", "--message=start");
  return repo;
}

import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { definePipeline, type Pipeline } from "../../src/core/authoring/pipeline.ts";
import { defineRole } from "../../src/core/authoring/role.ts";
import type { AttemptResult, Effect } from "../../src/core/journal/effect.ts";
import type { Json } from "../../src/core/text/json.ts";
import { readScript } from "../../src/drivers/scripted/read-script.ts";
import { createScriptedDriver } from "../../src/drivers/scripted/scripted-driver.ts";
import { createExecutor, type Executor } from "../../src/engine/execute/executor.ts";
import { locateCommand } from "../../src/processes/programs.ts";
import { createOpenSandbox, findSandbox, type Sandbox } from "../../src/processes/sandbox/sandbox.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { gitWorkspace } from "../../src/workspace/workspace.ts";

// Files of one agent are never visible to the next, in each confinement of the system: a real sandbox, a process
// namespace, or none. The next agent lists everything that it finds.

const root = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-left-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PATH = [dirname(process.execPath), process.env["PATH"] ?? "/usr/bin:/bin"].join(delimiter);
const SANDBOXES: readonly Sandbox[] = [
  await findSandbox({ PATH }),
  await findSandbox({ PATH: createProgramFolder(["unshare", "setsid"]) }),
  createOpenSandbox("switched off"),
];

function createProgramFolder(programs: readonly string[]): string {
  const folder = join(root, "without-bwrap");
  mkdirSync(folder);
  for (const program of programs) {
    const real = locateCommand(program, { PATH });
    if (real !== undefined) symlinkSync(real, join(folder, program));
  }
  return folder;
}

const HERE = fileURLToPath(new URL("../..", import.meta.url));

const contract = z.object({ did: z.string() });
const writer = defineRole({ name: "writer", does: "writes", contract, writes: true });
const reader = defineRole({ name: "reader", does: "reads", contract });
const scribe = defineRole({ name: "scribe", does: "writes documents", contract, writes: true, documents: true });
const pipeline = definePipeline(
  {
    name: "p",
    about: "a test",
    version: 1,
    input: z.unknown(),
    dialect: "completion",
    phases: [{ title: "1 Work", roles: [writer, reader, scribe] }],
    cap: 4,
  },
  async () => ({ status: "done" }),
) as Pipeline;

const FILES = { "a.txt": "a\n", "src/b.txt": "b\n", "src/deep/c.txt": "c\n", ".gitignore": "*.log\n" };
/** Lists everything except the repository, on standard error, which needs no write permission. */
const LOOK =
  'find . -path ./.git -prune -o ! -name seen.txt ! -type d -print | sort | while read f; do echo \\"$f $(cat $f)\\"; done';
const EXPECTED = ["./.gitignore *.log", "./a.txt a", "./src/b.txt b", "./src/deep/c.txt c"];

type RoleName = "writer" | "reader" | "scribe";

type AttemptStage = {
  readonly git: (...args: readonly string[]) => string;
  /** Runs a line as this role. The result names the folder that the agent printed. */
  send(role: RoleName, line: string): Promise<AttemptResult>;
  seenBy(role: RoleName, input?: Json): Promise<readonly string[]>;
  readonly executor: Executor;
};

let stages = 0;

async function createStage(sandbox: Sandbox): Promise<AttemptStage> {
  const dir = join(root, `stage-${stages++}`);
  const [repo, cache, runs] = [join(dir, "repo"), join(dir, "cache"), join(dir, "repo", ".signalbox", "runs")];
  mkdirSync(join(repo, "src", "deep"), { recursive: true });
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: repo, encoding: "utf8" }).trim();
  git("init", "-q", "-b", "main");
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(repo, path), text);
  git("add", "--all");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "begin");
  mkdirSync(runs, { recursive: true });
  const scripts = new Map<string, string>();
  const driver = createScriptedDriver(readScript("agents: [{ role: writer, output: { did: it } }]"));
  const world = createRealWorld({});
  const executor = createExecutor({
    workspace: await gitWorkspace({ repo, cache, warmFrom: 1 }),
    processes: createSupervisor({ world, graceMs: 100, sandbox }),
    definitions: {
      define: async (_pipeline, role) => ({
        prompt: "You play a part.",
        driver: { ...driver, ...createScriptedDriver(readScript(scripts.get(role) ?? "")) },
        signature: "S",
        from: "the test",
      }),
    },
    world,
    pipelines: () => pipeline,
    cache,
    runs,
    ...(sandbox.confines.processes ? { sandboxPaths: { hidden: [repo], readable: [HERE] } } : {}),
  });
  let sent = 0;
  const perform = async (role: string, line: string, input: Json = {}) => {
    const id = `r1/1 Work/${role}-${sent++}@1`;
    scripts.set(role, `agents:\n  - role: ${role}\n    do: [{ run: "${line}" }]\n    output: { did: it }\n`);
    const writes = role === "scribe" ? { writes: SCRIBES } : {};
    const request = { ...REQUEST, ...writes, role, input, tree: git("rev-parse", "HEAD^{tree}") };
    const effect: Effect<"attempt"> = { id, run: "r1", kind: "attempt", request };
    const result = await executor.perform(effect, new AbortController().signal);
    return { result: result as AttemptResult, spool: `r1-${world.hash(id).slice(0, 16)}` };
  };
  return {
    git,
    executor,
    send: async (role, line) => (await perform(role, line)).result,
    async seenBy(role, input) {
      const { spool } = await perform(role, `(${LOOK}) 1>&2`, input);
      const found = readdirSync(join(runs, "r1", "spool", spool)).includes("stderr");
      return found
        ? readFileSync(join(runs, "r1", "spool", spool, "stderr"), "utf8")
            .trim()
            .split("\n")
        : [];
    },
  };
}

const REQUEST = {
  pipeline: "p",
  phase: "1 Work",
  instance: "",
  task: "",
  round: 1,
  attempt: 1,
  nonce: "n0nce",
  rendered: [],
};

/** An existing folder and a new one. */
const SCRIBES = ["src/deep/**", "notes/new/*.md"];

const LIES: Readonly<Record<string, string>> = {
  "files of every kind":
    "mkdir -p node_modules/x && echo evil > node_modules/x/i.js; echo evil > e.log; echo evil > new.txt",
  "an edit with the old time": "touch -r a.txt /tmp/t; echo z > a.txt; touch -r /tmp/t a.txt",
  "hooks and settings": "mkdir -p .git/hooks; echo exit 1 > .git/hooks/pre-commit; git config core.fsmonitor evil",
  "a link out": "rm a.txt; ln -s /etc/passwd a.txt; ln -s / src/all",
  "other rights": "chmod 777 a.txt src; chmod 000 src/deep",
  "second names": "ln a.txt $HOME/mine; ln src/b.txt second.txt",
  "an edit by way of /proc": "echo evil > /proc/self/root$PWD/src/b.txt",
  "a writer that goes on":
    "setsid sh -c 'exec 3>>src/b.txt; while :; do echo late >&3; echo late >> a.txt; done' > /dev/null 2>&1 & sleep 0.1",
  "files in every folder beside its own": "for d in ../*/; do echo evil > $d/evil.txt; echo evil > $d/src/b.txt; done",
};

describe.each(SANDBOXES)("in $summary", (sandbox) => {
  test("[A-12] the next agent sees only the tree, whatever a writer leaves", async () => {
    const stage = await createStage(sandbox);
    // Two at once, so that one folder is free while a hostile agent uses the other.
    await Promise.all([stage.send("writer", "true"), stage.send("writer", "true")]);
    await stage.executor.settled();
    for (const [what, line] of Object.entries(LIES)) {
      await stage.send("writer", line);
      expect(await stage.seenBy("writer"), what).toEqual(EXPECTED);
    }
    expect(await stage.seenBy("reader")).toEqual(EXPECTED);
    await stage.executor.settled();
  });

  test("[A-12] the next agent sees only the tree, whatever a reader leaves", async () => {
    const stage = await createStage(sandbox);
    for (const [what, line] of Object.entries(LIES)) {
      expect(await stage.send("reader", line), what).toMatchObject({ outcome: "done" });
      expect(await stage.seenBy("reader"), what).toEqual(EXPECTED);
    }
    expect(await stage.seenBy("writer")).toEqual(EXPECTED);
    await stage.executor.settled();
  });

  test("[A-12] the next agent sees only the tree, whatever a document writer leaves", async () => {
    const stage = await createStage(sandbox);
    const own = "echo evil > src/deep/c.txt; echo evil > notes/new/n.md; echo evil > src/deep/e.txt";
    const away = "rm -rf src/deep; ln -s /etc src/deep; rm -rf notes; mv src/deep src/elsewhere";
    for (const [what, line] of Object.entries({ ...LIES, own, away })) {
      expect(await stage.send("scribe", line), what).toMatchObject({ outcome: "done" });
      expect(await stage.seenBy("scribe"), what).toEqual(EXPECTED);
    }
    expect(await stage.seenBy("reader")).toEqual(EXPECTED);
    expect(await stage.seenBy("writer")).toEqual(EXPECTED);
    await stage.executor.settled();
  });

  test("four parallel writers deliver documents from the allowed paths, and nothing else", async () => {
    const stage = await createStage(sandbox);
    const write = (n: number) =>
      `mkdir -p notes/new; echo ${n} > notes/new/${n}.md; echo ${n} > src/deep/c.txt; rm src/b.txt; cat notes/new/*.md 1>&2`;
    const results = await Promise.all([1, 2, 3, 4].map((n) => stage.send("scribe", write(n))));
    for (const [at, result] of results.entries()) {
      const changed = [`notes/new/${at + 1}.md`, "src/deep/c.txt"];
      // In a shared folder the file could not even be removed.
      const outside = sandbox.confines.files ? [] : ["src/b.txt"];
      expect(result).toMatchObject({ outcome: "done", changed, outside });
      const tree = "after" in result ? result.after : "";
      expect(stage.git("show", `${tree}:src/b.txt`)).toBe("b");
    }
    await stage.executor.settled();
  });

  test("an input written for one agent is not visible to others that share its folder", async () => {
    const stage = await createStage(sandbox);
    const createBackground = (letter: string) => ({ background: letter.repeat(800) });
    const [one, two, three] = await Promise.all([
      stage.seenBy("reader", createBackground("x")),
      stage.seenBy("scribe", createBackground("y")),
      stage.seenBy("reader"),
    ]);
    expect(one).toEqual([EXPECTED[0], `./.signalbox/input/background.txt ${"x".repeat(800)}`, ...EXPECTED.slice(1)]);
    expect(two).toEqual([EXPECTED[0], `./.signalbox/input/background.txt ${"y".repeat(800)}`, ...EXPECTED.slice(1)]);
    expect(three).toEqual(EXPECTED);
    await stage.executor.settled();
  });
});

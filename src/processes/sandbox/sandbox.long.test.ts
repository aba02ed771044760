import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  AGENT_SETTINGS,
  type ProcessExit,
  type ProcessOrder,
  type SandboxRules,
  wrapInSandbox,
} from "../../core/ports/processes.ts";
import { locateCommand } from "../programs.ts";
import { createSupervisor } from "../supervisor.ts";
import { listCarriers } from "../tag/process-tag.ts";
import { testWorld } from "../test-world.suite.ts";
import { chooseSandbox, findSandbox, type Sandbox } from "./sandbox.ts";

const root = mkdtempSync(join(tmpdir(), "signalbox-sandbox-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PATH = [dirname(process.execPath), process.env["PATH"] ?? "/usr/bin:/bin"].join(delimiter);
const best = await findSandbox({ PATH });
const none = await chooseSandbox("off");
const fallback = await findSandbox({ PATH: folderOf("without-bwrap", ["unshare", "setsid"]) });

/** A folder with only these system programs. */
function folderOf(name: string, programs: readonly string[]): string {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const program of programs) {
    const real = locateCommand(program, { PATH });
    if (real !== undefined) symlinkSync(real, join(folder, program));
  }
  return folder;
}

type Scene = {
  readonly user: string;
  readonly tree: string;
  readonly home: string;
  readonly sandboxRules: SandboxRules;
};

/** A user's home with a repository and an engine's files in it, and an attempt that borrows its objects. */
function scene(): Scene {
  const place = mkdtempSync(join(root, "scene-"));
  const user = join(place, "user");
  const repo = join(user, "repo");
  const [tree, home] = [join(place, "cache", "attempt"), join(place, "cache", "home")];
  for (const folder of [join(user, ".ssh"), join(repo, ".signalbox"), home]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(user, ".ssh", "id"), "private");
  writeFileSync(join(repo, ".signalbox", "signalbox.db"), "journal");
  writeFileSync(join(repo, "a.txt"), "a\n");
  git(place, "init", "-q", repo);
  git(repo, "add", "a.txt");
  git(repo, "commit", "-qm", "first");
  git(place, "clone", "-qs", repo, tree);
  const sandboxRules: SandboxRules = {
    writable: [tree, home],
    hidden: [user, repo],
    readable: [join(repo, ".git", "objects")],
    readOnly: AGENT_SETTINGS.map((path) => join(tree, path)),
    network: "none",
  };
  return { user, tree, home, sandboxRules };
}

const IDENTITY = ["-c", "user.name=A", "-c", "user.email=a@localhost", "-c", "init.defaultBranch=main"];
function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", [...IDENTITY, ...args], { cwd, encoding: "utf8" });
}

function orderIn(at: Scene, script: string, more: Partial<ProcessOrder> = {}): ProcessOrder {
  const id = testWorld.newId();
  const spool = join(at.user, "repo", ".signalbox", "runs", id);
  const env = { PATH, HOME: at.home, USER_HOME: at.user, REPO: join(at.user, "repo"), SPOOL: spool };
  const base = { command: "sh", args: ["-c", script], cwd: at.tree, env, spool, cookie: `run/1 Plan@${id}` };
  return { ...base, sandboxRules: at.sandboxRules, ...more };
}

async function runIn(at: Scene, script: string, sandbox: Sandbox): Promise<ProcessExit> {
  const { sandboxRules: _, ...order } = orderIn(at, script);
  const processes = wrapInSandbox(createSupervisor({ world: testWorld, graceMs: 500, sandbox }), at.sandboxRules);
  return (await processes.start(order)).exited;
}

async function firstLine(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line;
  throw new Error("the process ended without a line");
}

/** Tests a guarantee of this kind of sandbox; skipped with the reason if the system has none. */
function itWith(sandbox: Sandbox, needs: keyof Sandbox["confines"], title: string, body: () => Promise<void>): void {
  it(title, async ({ skip }) => {
    skip(!sandbox.confines[needs], sandbox.summary);
    await body();
  });
}

describe("choosing", () => {
  it("takes the best that works, and names it", () => {
    expect(best.summary).toMatch(/^sandbox: /);
    expect(best.confines.files).toBe(best.name === "bubblewrap");
  });

  it("without bubblewrap never claims to confine files or network", () => {
    expect(fallback.confines).toMatchObject({ files: false, network: false });
    expect(fallback.summary).toContain("bubblewrap is not installed");
  });

  it("reports that there is none if the system has nothing", async () => {
    const none = await chooseSandbox("auto", { PATH: folderOf("nothing", ["setsid"]) });
    expect(none).toMatchObject({ name: "none", summary: "sandbox: none (bubblewrap is not installed)" });
  });

  it("takes nothing when it is switched off", async () => {
    expect(await chooseSandbox("off", { PATH })).toMatchObject({
      name: "none",
      summary: "sandbox: none (switched off)",
    });
  });

  it("refuses if a sandbox is required and files cannot be confined", async () => {
    for (const path of [folderOf("bare", []), join(root, "without-bwrap")]) {
      await expect(chooseSandbox("required", { PATH: path })).rejects.toMatchObject({ code: "SANDBOX_MISSING" });
    }
  });

  it("does not trust an installed program that fails", async () => {
    const folder = folderOf("broken", ["setsid"]);
    writeFileSync(join(folder, "bwrap"), "#!/bin/sh\necho 'no permission here' >&2; exit 1\n", { mode: 0o755 });
    expect((await findSandbox({ PATH: folder })).summary).toBe("sandbox: none (no permission here)");
  });
});

describe("inside bubblewrap an agent cannot", () => {
  const denied = {
    "write into the user's home": "echo x > $USER_HOME/.bashrc",
    "read the user's keys": "cat $USER_HOME/.ssh/id",
    "write into the user's repository": "echo x > $REPO/a.txt",
    "read the user's repository": "cat $REPO/a.txt",
    "write into the borrowed objects": "echo x > $REPO/.git/objects/planted",
    "read the engine's database": "cat $REPO/.signalbox/signalbox.db",
    "write its own exit record": "echo 0 > $SPOOL/exit",
    "create settings for an agent program": "mkdir -p .claude && echo '{}' > .claude/settings.json",
    "create a file of tool servers": "rmdir .mcp.json; echo '{}' > .mcp.json",
    "create a build workflow": "mkdir -p .github/workflows && echo x > .github/workflows/a.yml",
    "move a protected folder away": "mkdir -p .github; mv .github moved && mkdir -p .github/workflows",
  };
  for (const [title, script] of Object.entries(denied)) {
    itWith(best, "files", title, async () => {
      const held = await runIn(scene(), script, best);
      expect(held).toMatchObject({ stopped: null, signal: null });
      expect(held.code).not.toBe(0);
      // The same lines work without a sandbox, so the sandbox stopped them.
      expect(await runIn(scene(), `rm -rf .mcp.json; mkdir -p .mcp.json; ${script}`, none)).toMatchObject({ code: 0 });
    });
  }

  itWith(best, "files", "write to the system", async () => {
    const name = `/etc/signalbox-${testWorld.newId()}`;
    expect((await runIn(scene(), `touch ${name}`, best)).stderrTail).toContain("Read-only file system");
    expect(existsSync(name)).toBe(false);
  });

  itWith(best, "files", "use a capability, even if the engine is root", async () => {
    const exit = await runIn(
      scene(),
      "grep CapEff /proc/self/status; umount $USER_HOME || mount -t tmpfs x /mnt",
      best,
    );
    expect(exit.stdoutTail).toBe("CapEff:\t0000000000000000\n");
    expect(exit.code).not.toBe(0);
  });

  itWith(best, "files", "change protected files of the repository", async () => {
    const at = scene();
    mkdirSync(join(at.tree, ".github", "workflows"), { recursive: true });
    writeFileSync(join(at.tree, ".github", "workflows", "ci.yml"), "kept");
    expect((await runIn(at, "echo x > .github/workflows/ci.yml", best)).code).not.toBe(0);
    expect((await runIn(at, "rm -rf .github", best)).code).not.toBe(0);
    expect(readFileSync(join(at.tree, ".github", "workflows", "ci.yml"), "utf8")).toBe("kept");
  });

  itWith(best, "files", "reach one protected folder through another next to it", async () => {
    const at = scene();
    const readOnly = [".github/workflows", ".github/actions"].map((path) => join(at.tree, path));
    const both: Scene = { ...at, sandboxRules: { ...at.sandboxRules, readOnly } };
    for (const path of readOnly) expect((await runIn(both, `touch ${path}/a`, best)).code).not.toBe(0);
    expect((await runIn(both, "touch .github/a", best)).code).toBe(0);
  });

  itWith(best, "files", "change a folder mounted in place of its own, except its own files there", async () => {
    const at = scene();
    const part = join(dirname(at.tree), "part");
    for (const folder of [part, at.tree]) mkdirSync(join(folder, "docs"), { recursive: true });
    const own = { from: join(part, "docs"), at: join(part, "docs"), writable: true };
    const sandboxRules = { ...at.sandboxRules, writable: [at.home], shown: [{ from: at.tree, at: part }, own] };
    const script = `cat a.txt; for line in 'echo x > a.txt' 'echo x > new' 'rm -r docs' 'mv docs away' \
      'ln a.txt docs/a.txt' "echo x > ${at.tree}/new"; do sh -c "$line" 2> /dev/null && echo "$line"; done; echo own > docs/own.md`;
    const exit = await runIn({ ...at, tree: part, sandboxRules }, script, best);
    expect(exit.stdoutTail).toBe("a\n");
    expect(readdirSync(part, { recursive: true })).toEqual(["docs", "docs/own.md"]);
    expect(readdirSync(at.tree).sort()).toEqual([".git", "a.txt", "docs"]);
    expect(readdirSync(join(at.tree, "docs"))).toEqual([]);
  });

  itWith(best, "files", "start without a tree", async () => {
    const at = scene();
    rmSync(at.tree, { recursive: true });
    await expect(runIn(at, "true", best)).rejects.toMatchObject({ code: "DISK_FAILED" });
    expect(existsSync(at.tree)).toBe(false);
  });

  itWith(best, "network", "reach a port of this machine without network", async () => {
    const server = createServer((socket) => socket.end("hello"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const script = `node -e 'require("net").connect(${port}, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
    const at = scene();
    expect((await runIn(at, script, best)).stdoutTail).toBe("ECONNREFUSED\n");
    const open: Scene = { ...at, sandboxRules: { ...at.sandboxRules, network: "all" } };
    expect((await runIn(open, script, best)).stdoutTail).toBe("hello\n");
    server.close();
  });

  itWith(best, "processes", "see the processes of this machine", async () => {
    const bystander = spawn("sleep", ["300.125"]);
    const look = "grep -ls '300[.]125' /proc/[0-9]*/cmdline";
    expect((await runIn(scene(), look, best)).stdoutTail).toBe("");
    expect((await runIn(scene(), look, none)).stdoutTail).toContain("/cmdline");
    bystander.kill("SIGKILL");
  });
});

describe("inside bubblewrap an agent can", () => {
  itWith(best, "files", "write in its tree, its home and its own scratch folder", async () => {
    const at = scene();
    const exit = await runIn(at, "echo b > b.txt && echo c > $HOME/c && echo d > /tmp/signalbox-d", best);
    expect(exit).toMatchObject({ code: 0, stderrTail: "" });
    expect(readFileSync(join(at.tree, "b.txt"), "utf8")).toBe("b\n");
    expect(existsSync("/tmp/signalbox-d")).toBe(false);
  });

  itWith(
    best,
    "files",
    "use git on its own repository, with borrowed objects and without noticing the sandbox",
    async () => {
      const at = scene();
      const commit = `git ${IDENTITY.join(" ")} commit -qm second`;
      const script = `git status --porcelain && git log --format=%s && echo b > a.txt && git add -A && ${commit}`;
      expect(await runIn(at, script, best)).toMatchObject({ code: 0, stdoutTail: "first\n", stderrTail: "" });
      expect(git(at.tree, "show", "--stat", "--format=%s", "HEAD")).toContain("1 file changed");
      expect(readdirSync(at.tree).sort()).toEqual([".git", "a.txt"]);
    },
  );

  itWith(best, "files", "run node, and talk to itself over loopback", async () => {
    const listen =
      's.listen(0,"127.0.0.1",()=>n.connect(s.address().port,"127.0.0.1").on("data",d=>console.log(String(d))))';
    const script = `node -e 'const n=require("net"),s=n.createServer(c=>{c.end("self");s.close()});${listen}'`;
    expect(await runIn(scene(), script, best)).toMatchObject({ code: 0, stdoutTail: "self\n" });
  });

  itWith(best, "files", "start a program below the hidden home, and read nothing next to it", async () => {
    const at = scene();
    const bin = join(at.user, "tools", "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "tool"), "#!/bin/sh\nls $USER_HOME\n", { mode: 0o755 });
    const processes = createSupervisor({ world: testWorld, sandbox: best });
    const ordered = orderIn(at, "tool; cat $USER_HOME/.ssh/id");
    const env = { ...ordered.env, PATH: [bin, at.user, PATH].join(delimiter) };
    const exit = await (await processes.start({ ...ordered, env })).exited;
    expect(exit.stdoutTail).toBe("repo\ntools\n");
    expect(exit.code).not.toBe(0);
  });

  itWith(
    best,
    "files",
    "start the programs that its command starts, even if the search path has only a link",
    async () => {
      const at = scene();
      const [bin, versions] = [join(at.user, "bin"), join(at.user, "versions")];
      for (const folder of [bin, versions]) mkdirSync(folder);
      writeFileSync(join(versions, "2.1"), "#!/bin/sh\nls $USER_HOME/versions\n", { mode: 0o755 });
      writeFileSync(join(versions, "2.0"), "old");
      symlinkSync(join(versions, "2.1"), join(bin, "tool"));
      const ordered = orderIn(at, "tool", { programs: ["tool"] });
      const env = { ...ordered.env, PATH: [bin, PATH].join(delimiter) };
      const processes = createSupervisor({ world: testWorld, sandbox: best });
      const exit = await (await processes.start({ ...ordered, env })).exited;
      expect(exit).toMatchObject({ code: 0, stdoutTail: "2.1\n" });
    },
  );
});

describe.each([
  ["the best there is", best],
  ["a namespace of processes", fallback],
])("in %s", (_name, sandbox) => {
  const processes = createSupervisor({ world: testWorld, graceMs: 2_000, sandbox });

  itWith(sandbox, "processes", "exit codes, signals, input and output pass unchanged", async () => {
    const at = scene();
    expect(await runIn(at, "echo out; echo err >&2; exit 3", sandbox)).toMatchObject({
      ...{ code: 3, signal: null, stopped: null, stdoutTail: "out\n", stderrTail: "err\n" },
    });
    expect(await runIn(at, "kill -SEGV $$", sandbox)).toMatchObject({ code: null, signal: "SIGSEGV" });
    const fed = await processes.start(orderIn(at, "cat", { stdin: "a prompt" }));
    expect((await fed.exited).stdoutTail).toBe("a prompt");
  });

  itWith(sandbox, "processes", "a process may clean up before it is killed", async () => {
    const script = "trap 'echo tidy; exit 0' TERM; echo up; while :; do sleep 0.02; done";
    const started = await processes.start(orderIn(scene(), script));
    await firstLine(started.lines());
    await started.stop("canceled");
    expect(await started.exited).toMatchObject({ stopped: "canceled", stdoutTail: "up\ntidy\n" });
  });

  itWith(sandbox, "processes", "a child in its own session must be ended by the process itself", async () => {
    const child = `setsid sh -c 'trap "echo signaled; exit" TERM; while :; do sleep 0.1; done' &`;
    const ordered = orderIn(
      scene(),
      `trap 'sleep 0.3; echo done; exit 0' TERM; ${child} echo up; while :; do sleep 0.1; done`,
    );
    const started = await createSupervisor({ world: testWorld, graceMs: 5_000, sandbox }).start(ordered);
    await firstLine(started.lines());
    await started.stop("canceled");
    expect((await started.exited).stdoutTail).toBe("up\ndone\n");
  });

  itWith(sandbox, "processes", "no process survives a stop, not even without its environment and session", async () => {
    const mark = `30${testWorld.now()}`;
    const ordered = orderIn(scene(), `trap '' TERM; env -i setsid sleep ${mark} & echo up; while :; do sleep 1; done`);
    const started = await createSupervisor({ world: testWorld, graceMs: 50, sandbox }).start(ordered);
    await firstLine(started.lines());
    await until(() => named(mark).length > 0);
    await started.stop("timeout");
    await until(() => named(mark).length === 0);
    expect(listCarriers(ordered.cookie)).toEqual([]);
  });

  itWith(sandbox, "processes", "[A-17] a killed engine leaves no process behind", async () => {
    const mark = `31${testWorld.now()}`;
    const at = scene();
    const script = `setsid sleep ${mark} & env -i setsid sleep ${mark} & sleep 0.05; echo up; exec sleep ${mark}`;
    const orders = [1, 2, 3, 4].map(() => orderIn(at, script));
    const engine = engineThat(orders, sandbox);
    await once(engine.stdout, "data");
    expect(named(mark).length).toBeGreaterThanOrEqual(12);
    engine.kill("SIGKILL");
    await until(() => named(mark).length === 0 && orders.every((each) => listCarriers(each.cookie).length === 0));
    for (const each of orders) expect(await processes.remains(each.spool)).toBeUndefined();
    // Folders created for the sandbox are removed by the next engine.
    expect(readdirSync(at.tree).sort()).toEqual([".git", "a.txt"]);
  });

  itWith(sandbox, "processes", "[A-17] an engine killed during a start leaves no process behind", async () => {
    for (let engines = 0; engines < 5; engines += 1) {
      const mark = `32${testWorld.now()}`;
      const at = scene();
      const orders = [1, 2, 3, 4].map(() => orderIn(at, `env -i setsid sleep ${mark} & exec sleep ${mark}`));
      const engine = engineThat(orders, sandbox, "process.kill(process.pid, 'SIGKILL');");
      await once(engine, "exit");
      await until(() => named(mark).length === 0 && orders.every((each) => listCarriers(each.cookie).length === 0));
    }
  });

  itWith(sandbox, "processes", "signals to its own group do not reach the sandbox process", async () => {
    const exit = await runIn(scene(), "trap '' TERM; kill 0; echo alive; exit 5", sandbox);
    expect(exit).toMatchObject({ code: 5, stdoutTail: "alive\n" });
  });

  itWith(
    sandbox,
    "processes",
    "[A-17] the next engine finds the result of a process that ended by itself",
    async () => {
      const ordered = orderIn(scene(), "echo answer; exit 4");
      await (await processes.start(ordered)).exited;
      const left = await createSupervisor({ world: testWorld }).remains(ordered.spool);
      expect(left).toMatchObject({ code: 4, stopped: null, stdoutTail: "answer\n" });
    },
  );
});

/** Starts all orders in a separate process, as an engine does; `soon` happens before they can have started. */
function engineThat(orders: readonly ProcessOrder[], sandbox: Sandbox, soon = "") {
  const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const path = sandbox === best ? PATH : join(root, "without-bwrap");
  const program = `
    import { findSandbox } from ${here("./sandbox.ts")};
    import { createSupervisor } from ${here("../supervisor.ts")};
    import { testWorld } from ${here("../test-world.suite.ts")};
    const sandbox = await findSandbox({ PATH: ${JSON.stringify(path)} });
    const processes = createSupervisor({ world: testWorld, sandbox });
    const starting = ${JSON.stringify(orders)}.map((order) => processes.start(order));
    ${soon}
    for (const each of await Promise.all(starting)) for await (const line of each.lines()) break;
    console.log("all up");`;
  return spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Live processes whose last argument is this, in any session or group. */
function named(mark: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").endsWith(`sleep\0${mark}\0`);
    } catch {
      return false;
    }
  });
}

/** Polls until the condition holds, or the test times out. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await testWorld.sleep(5);
}

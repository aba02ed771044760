import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { BIN, BIN_OF_CLONE } from "../support/program.ts";
import { type Event, lastEvent, makeScene, type Scene } from "./scene.ts";

const OFF = { SIGNALBOX_SANDBOX: "off" };

/** The first attempt runs this command on the machine; later attempts only write the file. */
function writeScript(scene: Scene, line: string): void {
  const rule = `    do: [{ run: ${JSON.stringify(line)} }, { write: { path: a.txt, content: "written\\n" } }]`;
  writeFileSync(
    scene.agents,
    `agents:
  - role: writer
    attempt: 1
${rule}
    output: { summary: write a file }
  - role: writer
    do: [{ write: { path: a.txt, content: "written\\n" } }]
    output: { summary: write a file }
`,
  );
}

const run = (scene: Scene, finish = "done") =>
  scene.signalbox("run", "small", "x", "--input", `finish=${finish}`, "--agents", scene.agents, "--json");
const getDatabaseFile = (scene: Scene) => join(scene.repo, ".signalbox/signalbox.db");

async function expectResumeToFinish(scene: Scene): Promise<void> {
  const resumed = await scene.signalbox("resume", "--json");
  expect(lastEvent(resumed), resumed.out + resumed.err).toMatchObject({ type: "run.finished", status: "done" });
}

/** Mounts a small disk, or returns the reason why that is impossible. */
function mountSmallDisk(size: string): string | { readonly why: string } {
  const disk = mkdtempSync(join(tmpdir(), "signalbox-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "none", disk], { encoding: "utf8" });
  onTestFinished(() => {
    spawnSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  return mounted.status === 0 ? disk : { why: `no disk can be mounted here: ${mounted.stderr || mounted.error}` };
}

describe("a disk", () => {
  test("that is full in the attempts' folder suspends the run with 74, the path and the fix, and resume continues it", async ({
    skip,
  }) => {
    const disk = mountSmallDisk("2m");
    if (typeof disk !== "string") return skip(disk.why);
    const scene = makeScene({ env: { ...OFF, XDG_CACHE_HOME: disk } });
    writeScript(scene, "head -c 9000000 /dev/zero > big; true");
    const ended = await run(scene);
    expect(ended.exit, ended.out + ended.err).toBe(74);
    const last = lastEvent(ended);
    expect(last).toMatchObject({ type: "run.suspended", status: "interrupted", exit: 74, code: "DISK_FAILED" });
    expect(last["reason"]).toMatch(
      /o space is left on the disk for .*signalbox-disk-.*XDG_CACHE_HOME.*signalbox resume/s,
    );
    await expectResumeToFinish(scene);
  });

  test("that is full before the run begins is reported with 74 and no stack", async ({ skip }) => {
    const disk = mountSmallDisk("16k");
    if (typeof disk !== "string") return skip(disk.why);
    const ended = await run(makeScene({ env: { XDG_CACHE_HOME: disk } }));
    expect(ended.exit, ended.out + ended.err).toBe(74);
    expect(lastEvent(ended)).toMatchObject({ type: "error", code: "DISK_FAILED" });
    expect(ended.err).not.toContain(" at ");
  });

  test("that is read-only below the repository is reported with 74 and the path", async ({ skip }) => {
    const scene = makeScene();
    const mounted = spawnSync("mount", ["--bind", "-o", "ro", scene.repo, scene.repo], { encoding: "utf8" });
    onTestFinished(() => void spawnSync("umount", ["-l", scene.repo]));
    spawnSync("mount", ["-o", "remount,ro,bind", scene.repo]);
    if (mounted.status !== 0) return skip(`nothing can be mounted here: ${mounted.stderr || mounted.error}`);
    const ended = await run(scene);
    expect(ended.exit, ended.out + ended.err).toBe(74);
    expect(lastEvent(ended)["message"]).toContain(scene.repo);
  });

  test("that is read-only below the home is reported with 74 and the path", async ({ skip }) => {
    const home = mountSmallDisk("1m");
    if (typeof home !== "string") return skip(home.why);
    // Root may write to read-only folders, but not to a read-only mount.
    spawnSync("mount", ["-o", "remount,ro", home]);
    const ended = await run(makeScene({ env: { XDG_CACHE_HOME: home } }));
    expect(ended.exit).toBe(74);
    expect(lastEvent(ended)["message"]).toContain(home);
  });
});

describe("a landing on a full disk", () => {
  const BYTES = 6_000_000;
  const getBigFile = (scene: Scene) => join(scene.repo, "big.bin");

  async function createLandableRun(scene: Scene): Promise<string> {
    writeScript(scene, `head -c ${BYTES} /dev/urandom > big.bin`);
    const ended = await run(scene);
    expect(ended.exit, ended.out + ended.err).toBe(0);
    return String(lastEvent(ended)["run"]);
  }

  test("without space for its files moves nothing and exits with 74", async ({ skip }) => {
    const scene = makeScene({ env: OFF });
    const id = await createLandableRun(scene);
    const disk = mountSmallDisk("64m");
    if (typeof disk !== "string") return skip(disk.why);
    execFileSync("cp", ["-a", `${scene.repo}/.`, disk]);
    rmSync(scene.repo, { recursive: true });
    mkdirSync(scene.repo);
    execFileSync("mount", ["--bind", disk, scene.repo]);
    onTestFinished(() => void spawnSync("umount", ["-l", scene.repo]));
    const main = scene.git("rev-parse", "main");
    const { bavail, bsize } = statfsSync(disk);
    const filler = join(scene.repo, ".git/filler");
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 3_000_000));
    const refused = await scene.signalbox("land", id, "--json");
    expect(refused.exit, refused.out + refused.err).toBe(74);
    expect(lastEvent(refused)).toMatchObject({ type: "error", code: "DISK_FAILED" });
    expect(lastEvent(refused)["message"]).toMatch(/they need 6\d{3} kB, and \d+ kB are free. Nothing was moved/);
    expect(scene.git("rev-parse", "main")).toBe(main);
    expect(existsSync(getBigFile(scene))).toBe(false);
    rmSync(filler);
    expect((await scene.signalbox("land", id)).exit).toBe(0);
    expect(statSync(getBigFile(scene)).size).toBe(BYTES);
  });

  test("that is interrupted exits with 74, and the same command completes it", async () => {
    const bin = mkdtempSync(join(tmpdir(), "signalbox-git-"));
    onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
    const real = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git");
    // Simulates a full disk for git: the start of the file is written, the rest is refused.
    const full = `[ -e ${bin}/full ] && { trap '' XFSZ; ulimit -f 500; }`;
    const script = `case " $* " in *" -n "*) ;; *" read-tree "*" -u "*) ${full} ;; esac`;
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${script}\nexec ${real} "$@"\n`, { mode: 0o755 });
    const scene = makeScene({ env: { ...OFF, PATH: `${bin}:${process.env["PATH"]}` } });
    const id = await createLandableRun(scene);
    writeFileSync(join(bin, "full"), "");
    const cut = await scene.signalbox("land", id);
    expect(cut.exit, cut.out + cut.err).toBe(74);
    expect(cut.out).toContain("the branch was updated, your files were not");
    expect(cut.out).toContain(`next: signalbox land ${id}`);
    expect(statSync(getBigFile(scene)).size).toBeLessThan(BYTES);
    expect((await scene.signalbox("revert", id)).exit).toBe(74);
    rmSync(join(bin, "full"));
    const done = await scene.signalbox("land", id);
    expect(done.exit, done.out + done.err).toBe(0);
    expect(done.out).toContain("half written: big.bin");
    expect(statSync(getBigFile(scene)).size).toBe(BYTES);
    expect(scene.git("status", "--porcelain")).toBe("");
  });
});

describe("a path that cannot be written", () => {
  /** Blocks the shared-memory file of the database with a folder, as a full disk does. */
  const blockDatabase = (scene: Scene) => mkdirSync(`${getDatabaseFile(scene)}-shm`);

  test("does not stop commands that only read runs", async () => {
    const scene = makeScene();
    expect((await run(scene)).exit).toBe(0);
    blockDatabase(scene);
    for (const command of ["status", "why", "events", "ps", "evidence", "inbox"]) {
      const looked = await scene.signalbox(command);
      expect(looked.exit, `${command}: ${looked.out}${looked.err}`).toBe(0);
    }
    expect((await run(scene)).exit).toBe(74);
  });

  test("does not make doctor report the database as damaged", async () => {
    const scene = makeScene();
    expect((await run(scene)).exit).toBe(0);
    blockDatabase(scene);
    const { out } = await scene.signalbox("doctor");
    expect(out).toMatch(/database +sound/);
    expect(out).not.toContain(".damaged");
  });

  test("is reported by doctor with its path and the variable that changes it, without a stack", async () => {
    // No user can create a folder there, not even root.
    const scene = makeScene({ env: { XDG_CACHE_HOME: "/sys", XDG_STATE_HOME: "/sys" } });
    const looked = await scene.signalbox("doctor");
    expect(looked.exit, looked.out + looked.err).toBe(4);
    expect(looked.out).toMatch(/disk +.*\/sys/);
    expect(looked.out).toContain("XDG_CACHE_HOME=");
    expect(looked.err).not.toContain(" at ");
  });

  test("is reported by doctor with its path if it is the repository's", async ({ skip }) => {
    const disk = mountSmallDisk("8m");
    if (typeof disk !== "string") return skip(disk.why);
    const scene = makeScene();
    const repo = join(disk, "repo");
    execFileSync("cp", ["-r", scene.repo, repo]);
    expect((await scene.signalbox("-C", repo, "doctor")).out).toMatch(new RegExp(`free at ${repo}`));
    spawnSync("mount", ["-o", "remount,ro", disk]);
    expect((await scene.signalbox("-C", repo, "doctor")).out).toContain(`${repo} is on a read-only disk`);
  });
});

const AMENDED = ["commit", "-q", "--amend", "-m", "another first"];
const REWRITTEN = [
  ["rm", "-q", "README.md"],
  [...AMENDED, "--allow-empty"],
];
const PRUNE = ["gc", "-q", "--prune=now"];
const FORGET = ["reflog", "expire", "--expire=now", "--all"];

test.each([
  ["the base is amended away", () => [AMENDED]],
  ["the run's own refs are deleted", (scene: Scene) => listRunRefs(scene).map((ref) => ["update-ref", "-d", ref])],
  ["both happen", (scene: Scene) => [AMENDED, ...listRunRefs(scene).map((ref) => ["update-ref", "-d", ref])]],
  ["the base is amended to other content", () => REWRITTEN],
  [
    "that and the refs",
    (scene: Scene) => [...REWRITTEN, ...listRunRefs(scene).map((ref) => ["update-ref", "-d", ref])],
  ],
])("a run with an open question continues although %s and git collects garbage", async (_how, deeds) => {
  const scene = makeScene();
  const asked = await run(scene, "ask");
  expect(asked.exit, asked.out + asked.err).toBe(3);
  const approval = String(asked.events.find(({ type }) => type === "approval.requested")?.["approval"]);
  for (const args of [...deeds(scene), FORGET, PRUNE]) scene.git(...args);
  expect((await scene.signalbox("approve", approval, "--choose", "keep")).exit).toBe(0);
  await expectResumeToFinish(scene);
});

describe("during a run", () => {
  const git = (scene: Scene) => `git -C ${scene.repo} -c user.name=T -c user.email=t@localhost`;
  const line = (scene: Scene) =>
    [...REWRITTEN, FORGET, PRUNE]
      .map((args) => `${git(scene)} ${args.map((arg) => `'${arg}'`).join(" ")}`)
      .join(" && ");

  test("a base commit that is amended to other content and collected is still the base", async () => {
    const scene = makeScene({ env: OFF });
    const base = scene.git("rev-parse", "HEAD").trim();
    writeScript(scene, line(scene));
    const ended = await run(scene);
    expect(lastEvent(ended), ended.out + ended.err).toMatchObject({ type: "run.finished", status: "done" });
    expect(scene.git("ls-tree", "-r", "--name-only", "HEAD")).not.toContain("README.md");
    expect(scene.git("rev-parse", `${lastEvent(ended)["commit"]}^`).trim()).toBe(base);
  });

  test("a base commit whose refs are also deleted is reported by its id with a fix", async () => {
    const scene = makeScene({ env: OFF });
    const base = scene.git("rev-parse", "HEAD").trim();
    const drop = `${git(scene)} for-each-ref '--format=delete %(refname)' refs/signalbox/ | ${git(scene)} update-ref --stdin`;
    writeScript(scene, `${drop} && ${line(scene)}`);
    const ended = await run(scene);
    expect(ended.exit, ended.out + ended.err).toBe(4);
    expect(() => scene.git("cat-file", "-e", base)).toThrow();
    expectMissingObjects(lastEvent(ended));
  });
});

test("a run whose refs, objects and cache were all removed reports what is missing and that it cannot continue", async () => {
  const cache = mkdtempSync(join(tmpdir(), "signalbox-cache-"));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const scene = makeScene({ env: { XDG_CACHE_HOME: cache } });
  const asked = await run(scene, "ask");
  const approval = String(asked.events.find(({ type }) => type === "approval.requested")?.["approval"]);
  const deeds = [...REWRITTEN, ...listRunRefs(scene).map((ref) => ["update-ref", "-d", ref]), FORGET, PRUNE];
  for (const args of deeds) scene.git(...args);
  rmSync(join(cache, "signalbox"), { recursive: true });
  expect((await scene.signalbox("approve", approval, "--choose", "keep")).exit).toBe(0);
  const ended = await scene.signalbox("resume", "--json");
  expect(ended.exit, ended.out + ended.err).toBe(4);
  expectMissingObjects(lastEvent(ended));
  expect((await scene.signalbox("cancel")).exit).toBe(0);
});

function expectMissingObjects(last: Event): void {
  expect(last).toMatchObject({ type: "run.suspended", status: "interrupted", code: "OBJECT_GONE" });
  expect(last["reason"]).toMatch(/[0-9a-f]{40} is missing.*refs\/signalbox.*signalbox resume.*signalbox cancel/s);
}

function listRunRefs(scene: Scene): readonly string[] {
  return scene.git("for-each-ref", "--format=%(refname)", "refs/signalbox/").split("\n").filter(Boolean);
}

test("a cache removed during a run suspends it with 74, and resume recreates it", async () => {
  const cache = mkdtempSync(join(tmpdir(), "signalbox-cache-"));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const scene = makeScene({ env: { ...OFF, XDG_CACHE_HOME: cache } });
  writeScript(scene, `rm -rf ${cache}/signalbox`);
  const ended = await run(scene);
  expect(ended.exit, ended.out + ended.err).toBe(74);
  expect(lastEvent(ended)).toMatchObject({ status: "interrupted", code: "DISK_FAILED" });
  expect(lastEvent(ended)["reason"]).toContain("was removed");
  await expectResumeToFinish(scene);
});

describe("a database", () => {
  test.each([
    ["removed", "rm -f signalbox.db signalbox.db-wal signalbox.db-shm"],
    ["missing its write-ahead log", "rm -f signalbox.db-wal"],
    ["missing its log index", "rm -f signalbox.db-shm"],
    ["replaced", "cp signalbox.db other; mv other signalbox.db"],
  ])("that is %s during a run exits with 65 instead of losing the run", async (_how, line) => {
    const scene = makeScene({ env: OFF });
    writeScript(scene, `cd ${scene.repo}/.signalbox && ${line}`);
    const ended = await run(scene);
    expect(ended.exit, ended.out + ended.err).toBe(65);
    expect(lastEvent(ended)).toMatchObject({ type: "error", code: "DATABASE_DAMAGED" });
  });

  test.each([
    ["emptied", (scene: Scene) => truncateSync(getDatabaseFile(scene))],
    ["removed", (scene: Scene) => rmSync(getDatabaseFile(scene))],
    ["replaced by another database", (scene: Scene) => replaceDatabase(getDatabaseFile(scene))],
  ])("that was %s beside its runs' folders is reported as damaged, also when a new run starts", async (_how, harm) => {
    const scene = makeScene();
    expect((await run(scene)).exit).toBe(0);
    harm(scene);
    for (const ended of [await scene.signalbox("status", "--json"), await run(scene)]) {
      expect(ended.exit, ended.out + ended.err).toBe(65);
      expect(lastEvent(ended)["message"]).toContain(readdirSync(join(scene.repo, ".signalbox/runs"))[0]);
    }
  });

  test("to which an agent adds a trigger is reported as damaged data with the trigger's name, not as a bug", async () => {
    const scene = makeScene({ env: OFF });
    const trigger = "CREATE TRIGGER lurks BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'no'); END";
    const program = `new (require("node:sqlite").DatabaseSync)(${JSON.stringify(getDatabaseFile(scene))}).exec(${JSON.stringify(trigger)})`;
    writeFileSync(join(scene.repo, "../trigger.cjs"), program);
    writeScript(scene, `'${process.execPath}' ${join(scene.repo, "../trigger.cjs")}`);
    const ended = await run(scene);
    expect(ended.exit, ended.out + ended.err).toBe(65);
    expect(lastEvent(ended)["message"]).toContain('the trigger "lurks"');
    const looked = await scene.signalbox("status", "--json");
    expect([looked.exit, lastEvent(looked)["code"]]).toEqual([65, "DATABASE_DAMAGED"]);
    const db = new DatabaseSync(getDatabaseFile(scene));
    db.exec("DROP TRIGGER lurks");
    db.close();
    await expectResumeToFinish(scene);
  });
});

function replaceDatabase(file: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
  const other = makeScene();
  execFileSync(process.execPath, [BIN, "-C", other.repo, "run", "small", "x", "--agents", other.agents], {
    env: {
      ...process.env,
      SIGNALBOX_TRUST: "1",
      SIGNALBOX_NO_CHECKS: "none",
      XDG_CACHE_HOME: join(other.repo, "../c"),
    },
  });
  execFileSync("cp", [getDatabaseFile(other), file]);
}

test.each([24, 32, 48])("with a limit of %i open files the error names that limit", async (most) => {
  const scene = makeScene();
  const line = `ulimit -n ${most}; exec "$0" "$@"`;
  const args = [BIN, "-C", scene.repo, "run", "small", "x", "--agents", scene.agents];
  const env = { ...process.env, XDG_CACHE_HOME: join(scene.repo, "../cache"), ...TRUSTED };
  const { status, stderr, stdout } = spawnSync("sh", ["-c", line, process.execPath, ...args], {
    env,
    encoding: "utf8",
  });
  const said = `${stdout}${stderr}`;
  expect(said).not.toMatch(/a bug of signalbox|not a git repository|Unhandled/);
  if (status !== 0) expect(said).toContain("ulimit -n");
  expect([0, 4], said).toContain(status);
});

const TRUSTED = { SIGNALBOX_TRUST: "1", SIGNALBOX_NO_CHECKS: "nothing is checked here", SIGNALBOX_SANDBOX: "off" };

test("a run whose engine dies twice during one dispatch is suspended, reports it, and continues when resumed", async () => {
  const scene = makeScene({ env: OFF });
  writeFileSync(
    scene.agents,
    `agents:
  - { role: writer, attempt: 1, do: [{ misbehave: hang }], output: { summary: x } }
  - { role: writer, attempt: 2, do: [{ misbehave: hang }], output: { summary: x } }
  - role: writer
    do: [{ write: { path: a.txt, content: "written\\n" } }]
    output: { summary: write a file }
`,
  );
  for (const args of [["run", "small", "x", "--agents", scene.agents], ["resume"]]) {
    const engine = scene.start(...args, "--json");
    await engine.heard("agent.started");
    engine.kill("SIGKILL");
    await engine.ended;
  }
  const rests = await scene.signalbox("resume", "--json");
  expect(rests.exit, rests.out + rests.err).toBe(130);
  expect(lastEvent(rests)).toMatchObject({ type: "run.suspended", status: "interrupted" });
  expect(lastEvent(rests)["reason"]).toMatch(/died 2 times while the same agent was running.*signalbox resume/);
  await expectResumeToFinish(scene);
});

test("under an older Node, killing the started program stops the engine too", async ({ skip }) => {
  const older = findOlderNode();
  if (older === undefined) return skip("no Node older than 24 is on the path");
  const scene = makeScene({ env: OFF });
  writeFileSync(scene.agents, "agents: [{ role: writer, do: [{ misbehave: hang }], output: { summary: x } }]\n");
  const args = [BIN_OF_CLONE, "-C", scene.repo, "run", "small", "x", "--agents", scene.agents, "--json"];
  const env = { ...process.env, XDG_CACHE_HOME: join(scene.repo, "../cache"), ...TRUSTED };
  const launcher = spawn(older, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const chunk of launcher.stdout) {
    said += String(chunk);
    if (said.includes('"agent.started"')) break;
  }
  const [engine] = listChildren(launcher.pid ?? 0);
  launcher.kill("SIGKILL");
  await once(launcher, "exit");
  while (engine !== undefined && existsSync(`/proc/${engine}/cmdline`) && isRunning(engine))
    await new Promise((resolve) => setTimeout(resolve, 10));
  const resumed = await scene.signalbox("cancel", "--json");
  expect(resumed.exit, resumed.out + resumed.err).toBe(0);
});

function findOlderNode(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":").map((folder) => join(folder, "node"));
  return folders.filter(existsSync).find((node) => {
    const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
    return Number.parseInt(stdout.slice(1), 10) < 24;
  });
}

function listChildren(pid: number): number[] {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return stdout.split("\n").filter(Boolean).map(Number);
}

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

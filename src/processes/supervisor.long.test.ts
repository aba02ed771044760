import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ProcessExit, ProcessOrder } from "../core/ports/processes.ts";
import { createSupervisor } from "./supervisor.ts";
import { listCarriers } from "./tag/process-tag.ts";
import { testWorld } from "./test-world.suite.ts";

const processes = createSupervisor({ world: testWorld, graceMs: 150 });
const root = mkdtempSync(join(tmpdir(), "signalbox-processes-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const { PATH = "/usr/bin:/bin" } = process.env;
const ENV = { PATH };

function order(script: string, more: Partial<ProcessOrder> = {}): ProcessOrder {
  const id = testWorld.newId();
  const spool = join(root, id);
  return { command: "sh", args: ["-c", script], cwd: root, env: ENV, spool, cookie: `run/1 Plan@${id}`, ...more };
}

async function run(script: string, more: Partial<ProcessOrder> = {}): Promise<ProcessExit> {
  return (await processes.start(order(script, more))).exited;
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** Resolves when a process prints its first line. */
async function firstLine(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line;
  throw new Error("the process ended without a line");
}

describe("a process that ends by itself", () => {
  it("returns its exit code, its output and its errors", async () => {
    const exit = await run("echo out; echo err >&2; exit 3");
    expect(exit).toMatchObject({ code: 3, signal: null, stopped: null, stdoutTail: "out\n", stderrTail: "err\n" });
    expect(exit.stdoutBytes).toBe(4);
  });

  it("reads its input and then the end of it", async () => {
    expect((await run("cat", { stdin: "a prompt with 'quotes' and $HOME" })).stdoutTail).toBe(
      "a prompt with 'quotes' and $HOME",
    );
    expect((await run("cat; echo end")).stdoutTail).toBe("end\n");
  });

  it("sees the given environment and its cookie, and none of ours", async () => {
    const ordered = order("", { command: "env", args: [], env: { ...ENV, code: "kept" } });
    const exit = await (await processes.start(ordered)).exited;
    const names = exit.stdoutTail.trim().split("\n").sort();
    expect(names).toContain(`SIGNALBOX_COOKIE=${ordered.cookie}`);
    expect(names).toContain("code=kept");
    const shells = /^(PWD|SHLVL|_|OLDPWD)=/;
    expect(names.filter((line) => !shells.test(line)).map((line) => line.split("=")[0])).toEqual([
      "PATH",
      "SIGNALBOX_COOKIE",
      "code",
    ]);
  });

  it("gets its arguments unchanged, whatever a shell would make of them", async () => {
    const args = ["%s|", "$(touch pwned)", "; exit 9", "a b", "*", "'"];
    const exit = await (await processes.start(order("", { command: "printf", args }))).exited;
    expect(exit).toMatchObject({ code: 0, stdoutTail: "$(touch pwned)|; exit 9|a b|*|'|" });
    expect(existsSync(join(root, "pwned"))).toBe(false);
  });

  it("reports a death by signal as a signal and a high exit code as a code", async () => {
    expect(await run("kill -SEGV $$")).toMatchObject({ code: null, signal: "SIGSEGV", stopped: null });
    expect(await run("exit 173")).toMatchObject({ code: 173, signal: null });
  });

  it("exits with 127 if there is no such program", async () => {
    const exit = await (await processes.start(order("", { command: "no-such-agent", args: [] }))).exited;
    expect(exit.code).toBe(127);
    expect(exit.stderrTail).toContain("no-such-agent");
  });

  it("leaves nothing behind, not even a child in its own session", async () => {
    const ordered = order("setsid sleep 300 & setsid sh -c 'sleep 300' & echo started");
    const started = await processes.start(ordered);
    expect(await firstLine(started.lines())).toBe("started");
    expect(await started.exited).toMatchObject({ code: 0, stopped: null });
    expect(listCarriers(ordered.cookie)).toEqual([]);
  });
});

describe("lines", () => {
  it("arrive while the process still runs", async () => {
    const started = await processes.start(order("echo first; read never < /dev/null; exec sleep 300"));
    expect(await firstLine(started.lines())).toBe("first");
    await started.stop("canceled");
  });

  it("are split only at line feeds and decoded as a whole", async () => {
    const text = JSON.stringify({ text: "a\u2028b\u0085c\rd" });
    const started = await processes.start(order("cat", { stdin: `${text}\n\nüñ` }));
    expect(await collect(started.lines())).toEqual([text, "", "üñ"]);
  });

  it("longer than 1 MiB are truncated and the next one is complete", async () => {
    const started = await processes.start(order("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo next"));
    const lines = await collect(started.lines());
    expect(lines.map((line) => line.length)).toEqual([1024 * 1024, 4]);
  });

  it("can be read again after the end", async () => {
    const started = await processes.start(order("echo a; echo b"));
    await started.exited;
    expect(await collect(started.lines())).toEqual(["a", "b"]);
    expect(await collect(started.lines())).toEqual(["a", "b"]);
  });
});

describe("stopping", () => {
  it("lets the process clean up first", async () => {
    const started = await processes.start(
      order("trap 'echo tidy; exit 0' TERM; echo up; while :; do sleep 0.02; done"),
    );
    await firstLine(started.lines());
    await started.stop("canceled");
    expect(await started.exited).toMatchObject({ stopped: "canceled", stdoutTail: "up\ntidy\n" });
  });

  it("ends a process that ignores the request, and its children in their own sessions", async () => {
    const ordered = order(
      "trap '' TERM; setsid sh -c 'trap \"\" TERM; while :; do sleep 1; done' & echo up; while :; do sleep 1; done",
    );
    const started = await processes.start(ordered);
    await firstLine(started.lines());
    expect(listCarriers(ordered.cookie).length).toBeGreaterThan(2);
    await started.stop("canceled");
    expect((await started.exited).stopped).toBe("canceled");
    expect(listCarriers(ordered.cookie)).toEqual([]);
  });

  it("keeps the first reason and is harmless after the end", async () => {
    const started = await processes.start(order("exec sleep 300"));
    await Promise.all([started.stop("canceled"), started.stop("timeout")]);
    await started.stop("silent");
    expect((await started.exited).stopped).toBe("canceled");
    const ended = await processes.start(order("exit 4"));
    await ended.exited;
    await ended.stop("canceled");
    expect(await ended.exited).toMatchObject({ code: 4, stopped: null });
  });

  it("happens at the time limit", async () => {
    expect((await run("exec sleep 300", { limits: { wallMs: 60 } })).stopped).toBe("timeout");
  });

  it("does not happen while a silent process uses CPU time", async () => {
    const busy = "exec node -e 'const end = Date.now() + 1500; while (Date.now() < end);'";
    expect(await run(busy, { limits: { silenceMs: 400 } })).toMatchObject({ code: 0, stopped: null });
  });

  it("does not happen while files in its folder change, and happens once they do not", async () => {
    const cwd = mkdtempSync(join(root, "changing-"));
    const ordered = order("exec sleep 300", { cwd, limits: { silenceMs: 2_000 } });
    const started = await processes.start(ordered);
    // Longer than the limit: the second sign is seen a whole interval after the first.
    for (const signs = new Set<number>(); signs.size < 6; ) {
      appendFileSync(join(cwd, "image.tar"), "more");
      await testWorld.sleep(10);
      const sign = statSync(join(ordered.spool, "worked"), { throwIfNoEntry: false })?.mtimeMs;
      if (sign !== undefined) signs.add(sign);
    }
    const { stopped, ms } = await started.exited;
    expect(stopped).toBe("silent");
    expect(ms).toBeGreaterThan(2 * 2_000);
  });

  it("happens after silence, and not while there is output", async () => {
    const talking = "for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.05; done";
    expect(await run(talking, { limits: { silenceMs: 300 } })).toMatchObject({ code: 0, stopped: null });
    expect((await run("echo a; exec sleep 300", { limits: { silenceMs: 120 } })).stopped).toBe("silent");
  });

  it("happens at once if there is too much output on either stream", async () => {
    const limits = { outputBytes: 1024 * 1024 };
    expect((await run("exec yes", { limits })).stopped).toBe("flood");
    expect((await run("exec yes >&2", { limits })).stopped).toBe("flood");
  });
});

describe("a process that printed too much and ended between two checks", () => {
  it("still counts as stopped", async () => {
    const ordered = order("head -c 3000000 /dev/zero", { limits: { outputBytes: 1_000_000 } });
    expect((await (await processes.start(ordered)).exited).stopped).toBe("flood");
    expect(await processes.remains(ordered.spool)).toBeUndefined();
  });
});

describe("the spool of an engine that is gone", () => {
  it("has the complete result of a process that ended by itself", async () => {
    const ordered = order("echo answer; exit 0");
    await (await processes.start(ordered)).exited;
    const left = await createSupervisor({ world: testWorld }).remains(ordered.spool);
    expect(left).toMatchObject({ code: 0, signal: null, stopped: null, stdoutTail: "answer\n", stdoutBytes: 7 });
  });

  it("has no result if the process was stopped, whatever it recorded while dying", async () => {
    const ordered = order("trap 'exit 0' TERM; echo up; while :; do sleep 0.02; done");
    const started = await processes.start(ordered);
    await firstLine(started.lines());
    await started.stop("canceled");
    expect(readFileSync(join(ordered.spool, "exit"), "utf8")).toBe("0\n");
    expect(await processes.remains(ordered.spool)).toBeUndefined();
  });

  it("has no result if nothing was started", async () => {
    expect(await processes.remains(join(root, "never"))).toBeUndefined();
  });

  it("has no result after a reboot, and no process is signaled", async () => {
    const ordered = order("echo up; exec sleep 300");
    const started = await processes.start(ordered);
    await firstLine(started.lines());
    const birth = JSON.parse(readFileSync(join(ordered.spool, "process"), "utf8"));
    writeFileSync(join(ordered.spool, "process"), JSON.stringify({ ...birth, boot: "another" }));
    expect(await processes.remains(ordered.spool)).toBeUndefined();
    expect(listCarriers(ordered.cookie)).not.toEqual([]);
    await started.stop("canceled");
  });

  it("never leads to a signal for another process with the same pid", async () => {
    const bystander = spawn("sleep", ["300"], { detached: true });
    const ordered = order("exit 0");
    await (await processes.start(ordered)).exited;
    const leader = readFileSync(join(ordered.spool, "leader"), "utf8");
    writeFileSync(join(ordered.spool, "leader"), leader.replace(/^\d+/, String(bystander.pid)));
    rmSync(join(ordered.spool, "exit"));
    expect(await processes.remains(ordered.spool)).toBeUndefined();
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    bystander.kill("SIGKILL");
    await once(bystander, "exit");
  });

  it("[A-17] has the complete output even if the engine was killed before the process ended", async () => {
    const ordered = order("echo up; until [ -e gate ]; do sleep 0.01; done; echo answer; exit 0");
    await startAndKillEngine(ordered);
    writeFileSync(join(root, "gate"), "");
    await until(
      () => existsSync(join(ordered.spool, "exit")) && readFileSync(join(ordered.spool, "exit"), "utf8") !== "",
    );
    const left = await processes.remains(ordered.spool);
    expect(left).toMatchObject({ code: 0, stopped: null, stdoutTail: "up\nanswer\n" });
    expect(listCarriers(ordered.cookie)).toEqual([]);
  });

  it("[A-17] has no result while the process still runs, which is then ended", async () => {
    const ordered = order("setsid sleep 300 & echo up; exec sleep 300");
    await startAndKillEngine(ordered);
    expect(listCarriers(ordered.cookie).length).toBeGreaterThan(1);
    expect(await processes.remains(ordered.spool)).toBeUndefined();
    expect(listCarriers(ordered.cookie)).toEqual([]);
    expect(await processes.remains(ordered.spool)).toBeUndefined();
  });
});

describe("a sweep", () => {
  it("ends all processes with the cookie and returns their number", async () => {
    const cookie = testWorld.newId();
    const env = { ...ENV, SIGNALBOX_COOKIE: cookie };
    const mine = [spawn("sleep", ["300"], { env }), spawn("sleep", ["300"], { env, detached: true })];
    const other = spawn("sleep", ["300"], { env: { ...env, SIGNALBOX_COOKIE: `${cookie}0` } });
    await Promise.all([...mine, other].map((child) => once(child, "spawn")));
    expect(await processes.sweep(cookie)).toBe(2);
    expect(await processes.sweep(cookie)).toBe(0);
    expect(other.exitCode ?? other.signalCode).toBeNull();
    other.kill("SIGKILL");
  });
});

describe("a flood of 1 GiB", () => {
  const cases = {
    "in one line": "head -c 1073741824 /dev/zero | tr '\\0' x",
    "in short lines": `yes ${"x".repeat(199)} | head -c 1073741824`,
  };
  it.each(Object.entries(cases))("%s is read to its end within 150 MB", async (_name, script) => {
    const engine = engineThat(
      `
      const started = await processes.start(order);
      let bytes = 0, most = 0;
      for await (const line of started.lines()) {
        bytes += line.length + 1;
        if (bytes % 2_000_000 < 200) most = Math.max(most, process.memoryUsage.rss());
      }
      const exit = await started.exited;
      most = Math.max(most, process.resourceUsage().maxRSS * 1024);
      console.log(JSON.stringify({ bytes, most, written: exit.stdoutBytes }));`,
      order(script),
    );
    const [line] = await Promise.all([engine.output, once(engine.child, "exit")]);
    const { most, written } = JSON.parse(await line);
    expect(written).toBe(1024 ** 3);
    expect(most / 1024 ** 2).toBeLessThan(150);
  });
});

/** A process with its own supervisor, like an engine. */
function engineThat(body: string, ordered: ProcessOrder) {
  const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const program = `
    import { createSupervisor } from ${here("./supervisor.ts")};
    import { testWorld } from ${here("./test-world.suite.ts")};
    const processes = createSupervisor({ world: testWorld });
    const order = ${JSON.stringify(ordered)};
    ${body}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = (async () => {
    let text = "";
    for await (const chunk of child.stdout) text += chunk;
    return text;
  })();
  return { child, output };
}

async function startAndKillEngine(ordered: ProcessOrder): Promise<void> {
  const engine = engineThat(
    `const started = await processes.start(order);
     for await (const line of started.lines()) { process.kill(process.pid, "SIGKILL"); }`,
    ordered,
  );
  await once(engine.child, "exit");
}

/** Polls until the condition holds, or the test times out. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await testWorld.sleep(5);
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findMissingInterpreter } from "./interpreter.ts";
import { createSupervisor } from "./supervisor.ts";
import { testWorld } from "./test-world.suite.ts";

const cwd = mkdtempSync(join(tmpdir(), "signalbox-interpreter-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
// A PATH folder that this user may not enter would make the shell exit with 126 instead of 127.
const env = { PATH: `${cwd}:/usr/bin:/bin` };
const script = join(cwd, "judge");
writeFileSync(script, "#!/no/such -x\n", { mode: 0o755 });
writeFileSync(join(cwd, "fine"), "#!/bin/sh\nmissing\n", { mode: 0o755 });

const started = async (command: string, args: readonly string[]) => {
  const spool = join(cwd, testWorld.newId());
  const order = { command, args: [...args], cwd, env, spool, cookie: `run/1 Check@${testWorld.newId()}` };
  return (await createSupervisor({ world: testWorld }).start(order)).exited;
};

test.each([
  ["by its path", "sh", ["-c", "./judge"], "./judge"],
  ["by its name", "sh", ["-c", "judge"], "judge"],
  ["without a shell", script, [], script],
])(
  "a script that is started %s and whose interpreter is missing gets a message that names it",
  async (_how, command, args, named) => {
    const { code, stderrTail } = await started(command, args);
    expect(code).toBe(127);
    expect(stderrTail).toContain(`${named} is there, but its interpreter /no/such (in its first line) is not`);
  },
);

test("a missing program is reported only in the shell's own words", async () => {
  for (const line of ["./nothing", "nothing-of-this-name", "./fine"])
    expect((await started("sh", ["-c", line])).stderrTail).not.toContain("interpreter");
});

test.each([
  "bash: line 1: ./judge: cannot execute: required file not found",
  "bash: ./judge: /no/such: bad interpreter: No such file or directory",
  "bwrap: execvp ./judge: No such file or directory",
  "./judge: not found",
])("%j is recognized", (said) => {
  expect(findMissingInterpreter(`before\n${said}\n`, { cwd, env })).toContain("its interpreter /no/such");
});

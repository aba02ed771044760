import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { BIN } from "../support/program.ts";

/** Runs the program with a reader that closes its end before any output. */
async function runWithClosedPipe(gone: "stdout" | "stderr", ...args: readonly string[]) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: tmpdir(), stdio: ["ignore", "pipe", "pipe"] });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  child[gone].destroy();
  const [exit] = await once(child, "close");
  return { exit, err };
}

test.each([["--help"], ["logs", "--help"], ["--version"], ["help", "run"], ["completion", "bash"]])(
  "a reader that closes the pipe causes no stack trace: %j",
  async (...args) => {
    const { exit, err } = await runWithClosedPipe("stdout", ...args.filter(Boolean));
    expect(err).toBe("");
    expect(exit).toBe(0);
  },
);

test("a usage error keeps its exit code when the pipe is closed", async () => {
  const heard = await runWithClosedPipe("stdout", "no-such-command");
  expect(heard.err).toContain("no-such-command");
  expect(await runWithClosedPipe("stderr", "no-such-command")).toEqual({ exit: heard.exit, err: "" });
});

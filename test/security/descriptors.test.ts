import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { makeScene, type Scene } from "../cli/scene.ts";
import { BIN } from "../support/program.ts";

const linux = process.platform === "linux";

/** Runs the program with an open folder on descriptor 200. */
async function withFolder(scene: Scene, path: string, args: readonly string[]): Promise<{ out: string; err: string }> {
  const folder = openSync(scene.repo, "r");
  const stdio = ["ignore", "pipe", "pipe", ...Array.from({ length: 197 }, () => "ignore" as const), folder] as const;
  const state = join(scene.repo, "..");
  const env = {
    PATH: path,
    HOME: state,
    XDG_STATE_HOME: state,
    SIGNALBOX_TRUST: "1",
    SIGNALBOX_NO_CHECKS: "none here",
  };
  const child = spawn(process.execPath, [BIN, "-C", scene.repo, ...args], { stdio: [...stdio], env });
  closeSync(folder);
  const [out = "", err = ""] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")),
  );
  if (child.exitCode === null) await once(child, "close");
  return { out, err };
}

test("neither git nor an agent inherits an open directory descriptor during a whole run", async ({ skip }) => {
  skip(!linux, "elsewhere the system closes them");
  const scene = makeScene();
  const seen = join(scene.repo, "../seen.txt");
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const bin = join(scene.repo, "../bin");
  mkdirSync(bin, { recursive: true });
  scene.put(
    "../bin/git",
    `#!/bin/sh\n[ -e /proc/$$/fd/200 ] && echo open >> ${seen} || echo shut >> ${seen}\nexec ${git} "$@"\n`,
  );
  chmodSync(join(bin, "git"), 0o755);
  scene.put(
    "../agent.yaml",
    'agents:\n  - role: writer\n    do: [{ run: \'ls /proc/self/fd | tr "\\n" " " > a.txt\' }]\n    output: { summary: look }\n',
  );
  const path = [bin, dirname(process.execPath), process.env["PATH"]].join(":");
  const ran = await withFolder(scene, path, [
    "run",
    "small",
    "x",
    "--agents",
    join(scene.repo, "../agent.yaml"),
    "--json",
  ]);
  expect(ran.out, ran.err).toContain('"run.finished"');
  const commit = [...ran.out.matchAll(/"commit":"([0-9a-f]{40})"/g)].at(-1)?.[1];
  expect(scene.git("show", `${commit}:a.txt`)).toBe("0 1 2 3 ");
  expect(new Set(readFileSync(seen, "utf8").trim().split("\n"))).toEqual(new Set(["shut"]));
});

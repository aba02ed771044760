import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { makeScene } from "./scene.ts";

/** An agent that works until it is released. */
const PATIENT = (go: string) => `agents:
  - role: writer
    do: [{ run: "until test -e ${go}; do sleep 0.05; done" }, { write: { path: a.txt, content: "x" } }]
    output: { summary: write a file }
`;

test("a repository that is moved while an agent runs is not recreated at its old path", {
  timeout: 120_000,
}, async () => {
  const scene = makeScene();
  const [go, agents, moved] = ["go", "patient.yaml", "moved"].map((name) => join(scene.repo, "..", name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(agents, PATIENT(go));
  const talk = scene.start("run", "small", "x", "--sandbox", "off", "--agents", agents, "--json");
  await talk.heard("agent.started");
  renameSync(scene.repo, moved);
  writeFileSync(go, "");
  const ended = await talk.ended;
  expect(ended.exit).toBe(74);
  expect(ended.out).toContain("was removed while it was in use");
  expect(existsSync(scene.repo)).toBe(false);
  renameSync(moved, scene.repo);
  expect((await scene.signalbox("resume", "--json")).exit).toBe(0);
});

test.each(["--show-toplevel", "read-tree", "diff-files", "update-index", "write-tree", "commit-tree"])(
  "a repository that is moved during a git call for %s is reported and not recreated",
  { timeout: 300_000 },
  async (word) => {
    const scene = makeScene();
    const [bin, moved] = [join(scene.repo, "..", "bin"), join(scene.repo, "..", "moved")];
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), writeMovingGit({ word, repo: scene.repo, moved }), { mode: 0o755 });
    const path = `${bin}${delimiter}${process.env["PATH"]}`;
    const words = ["run", "small", "x", "--agents", scene.agents];
    const { exit, err } = await scene.from({ env: { PATH: path } }, ...words);
    expect([4, 74], err).toContain(exit);
    expect(existsSync(scene.repo)).toBe(false);
    expect(existsSync(moved)).toBe(true);
  },
);

/** A git that answers and then moves the repository away, once. */
function writeMovingGit({ word, repo, moved }: Readonly<Record<"word" | "repo" | "moved", string>>): string {
  const real = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git");
  return `#!/bin/sh
${real} "$@"; end=$?
case " $* " in *" ${word} "*) test -e ${moved} || mv ${repo} ${moved};; esac
exit $end
`;
}

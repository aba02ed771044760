import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { fill, run, type Scene, scene } from "../scene.suite.ts";

/** A git that blocks in one of its commands, with half of an object written. */
async function slowGit({ root }: Scene, command: string, manners = ""): Promise<{ stands(): Promise<number> }> {
  const [folder, mark] = [join(root, "bin"), join(root, "stands")];
  const path = process.env["PATH"] ?? "";
  const real = run(root, ["--exec-path"]);
  await mkdir(folder);
  await writeFile(
    join(folder, "git"),
    `#!/bin/sh
${manners}
case " $* " in *" ${command} "*)
  echo half > "$GIT_OBJECT_DIRECTORY/tmp_obj_half"
  sleep 600 & echo $! > ${mark}.new; mv ${mark}.new ${mark}; wait; wait;;
esac
exec ${join(real, "git")} "$@"
`,
  );
  await chmod(join(folder, "git"), 0o755);
  process.env["PATH"] = `${folder}${delimiter}${path}`;
  onTestFinished(() => {
    process.env["PATH"] = path;
  });
  return {
    async stands() {
      while (!existsSync(mark)) await wait(10);
      return Number(readFileSync(mark, "utf8"));
    },
  };
}

async function changed({ workspace, tree }: Scene): Promise<() => Promise<unknown>> {
  const { dir } = await workspace.open(tree, "agent");
  await fill(dir, { "b.txt": "b\n" });
  return () => workspace.snapshot(dir, { opened: tree, onto: tree });
}

test.each([
  ["that ends when it is told to", ""],
  ["that does not listen", "trap '' TERM"],
])("a git %s ends with its owner's signal, and its partial objects are removed", async (_how, manners) => {
  const stage = await scene();
  const snapshot = await changed(stage);
  const slow = await slowGit(stage, "--add", manners);
  const stop = new AbortController();
  const taking = stage.workspace.owned(stop.signal, snapshot);
  const pid = await slow.stands();
  stop.abort(new Error("told to stop"));
  await expect(taking).rejects.toThrow("told to stop");
  expect(isRunning(pid)).toBe(false);
  expect(readdirSync(join(stage.repo, ".git", "objects")).filter((name) => name.startsWith("tmp_"))).toEqual([]);
});

test("nothing is started for an owner that has stopped", async () => {
  const stage = await scene();
  const stopped = AbortSignal.abort(new Error("told to stop"));
  await expect(stage.workspace.owned(stopped, () => stage.workspace.head())).rejects.toThrow("told to stop");
  expect((await stage.workspace.head()).commit).toBe(stage.commit);
});

test("the objects of a snapshot are where git expects them, and it finds nothing to repair", async () => {
  const stage = await scene();
  const { tree } = (await (await changed(stage))()) as { tree: string };
  expect(run(stage.repo, ["cat-file", "-p", `${tree}:b.txt`])).toBe("b");
  expect(run(stage.repo, ["fsck", "--strict", "--no-dangling"])).toBe("");
});

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, scene } from "../scene.suite.ts";
import { readRepositoryName } from "./remote.ts";
import { team } from "./team.suite.ts";

test("all clones of a folder identify it by its real path, whatever the path used", async () => {
  const stage = await team();
  const [a, b] = await Promise.all([stage.member("a"), stage.member("b")]);
  await symlink(stage.bare, join(stage.root, "link"));
  run(a.repo, ["remote", "set-url", "origin", "../link"]);
  run(b.repo, ["remote", "set-url", "origin", `file://${stage.bare}/`]);
  for (const { repo } of [a, b]) expect(await readRepositoryName(repo, "origin")).toBe(stage.bare);
  expect(await readRepositoryName(a.repo, stage.bare)).toBe(stage.bare);
});

test("a remote name configured as an address is that address", async () => {
  const { repo } = await scene();
  run(repo, ["config", "url.https://host.example/.insteadOf", "short:"]);
  run(repo, ["remote", "add", "origin", "short:team/project.git"]);
  expect(await readRepositoryName(repo, "origin")).toBe("host.example/team/project");
});

test("a remote that the clone does not have is missing, with the command that adds it", async () => {
  const { repo } = await scene();
  await expect(readRepositoryName(repo, "origin")).rejects.toMatchObject({
    code: "REMOTE_MISSING",
    hint: expect.stringContaining("git remote add origin"),
  });
});

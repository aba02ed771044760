import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { fill, run } from "../scene.suite.ts";
import { serveHttp } from "./http-remote.suite.ts";
import { again, edit, type Member, remoteRefs, type Team, team } from "./team.suite.ts";

const RUN = "r1";
afterEach(() => vi.unstubAllEnvs());

const ADA = { user: "ada", password: "geheim" };

/** A person with this git configuration, whose clone has the remote at this address. */
async function person(stage: Team, address: string, settings: string): Promise<Member> {
  const member = await stage.member("person");
  run(member.repo, ["remote", "set-url", "origin", address]);
  await fill(stage.root, { "home/.gitconfig": settings });
  vi.stubEnv("HOME", join(stage.root, "home"));
  vi.stubEnv("GIT_CONFIG_GLOBAL", undefined);
  return again(member);
}

async function begins({ workspace }: Member, { commit }: Team): Promise<void> {
  await workspace.begin(RUN, { commit, books: [] });
}

test("a person's credential helper is called, and no other program of their settings runs", async () => {
  const stage = await team();
  const address = await serveHttp(stage.bare, ADA);
  const ran = join(stage.root, "ran");
  const settings = [
    `[credential "${new URL(address).origin}"]\n\thelper = "!f() { echo username=ada; echo password=geheim; }; f"`,
    `[core]\n\taskPass = "touch ${ran}; false"\n\tfsmonitor = "touch ${ran}; false"\n\thooksPath = /nowhere`,
    `[push]\n\tgpgSign = true`,
  ].join("\n");
  const member = await person(stage, address, settings);
  await begins(member, stage);
  const tree = await edit(member, RUN, { tree: stage.tree, files: { "a.txt": "two\n" } });
  expect(remoteRefs(stage)).toContain(`refs/signalbox/${RUN}/t/${tree}`);
  expect((await member.workspace.of(RUN).branch("main"))?.commit).toBe(stage.commit);
  await expect(readFile(ran)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a header that a CI system has put into the clone's settings grants access", async () => {
  const stage = await team();
  const address = await serveHttp(stage.bare, ADA);
  const member = await person(stage, address, "");
  const token = Buffer.from(`${ADA.user}:${ADA.password}`).toString("base64");
  run(member.repo, ["config", `http.${address}.extraheader`, `Authorization: Basic ${token}`]);
  await begins(member, stage);
});

test("a person without credentials is refused at once, without a prompt", async () => {
  const stage = await team();
  const address = await serveHttp(stage.bare, ADA);
  const nobody = await person(stage, address, "");
  await expect(begins(nobody, stage)).rejects.toMatchObject({ code: "REMOTE_REFUSED" });
  const wrong = '[credential]\n\thelper = "!f() { echo username=ada; echo password=wrong; }; f"';
  await fill(stage.root, { "home/.gitconfig": wrong });
  const refused = begins(await again(nobody), stage);
  await expect(refused).rejects.toMatchObject({
    code: "REMOTE_REFUSED",
    message: expect.not.stringContaining("wrong"),
  });
});

test("an address with a password in it works, and is never printed with it", async () => {
  const stage = await team();
  const address = await serveHttp(stage.bare, ADA);
  const member = await person(stage, address.replace("//", "//ada:geheim@"), "");
  await begins(member, stage);
  await fill(stage.bare, { "hooks/pre-receive": "#!/bin/sh\nexit 1\n" });
  await chmod(join(stage.bare, "hooks/pre-receive"), 0o755);
  const refused = edit(member, RUN, { tree: stage.tree, files: { "a.txt": "two\n" } });
  await expect(refused).rejects.toMatchObject({
    code: "REMOTE_REFUSED",
    message: expect.not.stringMatching(/geheim|ada/),
  });
});

test("a person's own ssh is used to reach a machine, without a prompt", async () => {
  const stage = await team();
  const said = join(stage.root, "said");
  // Connects to this machine.
  const ssh = `#!/bin/sh\nprintf '%s\\n' "$*" >> ${said}\nfor last; do :; done\nexec sh -c "$last"\n`;
  await fill(stage.root, { "bin/ssh": ssh, "bin/mine": ssh });
  await Promise.all(["ssh", "mine"].map((name) => chmod(join(stage.root, "bin", name), 0o755)));
  vi.stubEnv("PATH", `${join(stage.root, "bin")}:${process.env["PATH"]}`);
  const member = await person(stage, `git@host.example:${stage.bare}`, "");
  await begins(member, stage);
  expect(await readFile(said, "utf8")).toContain("-o BatchMode=yes");

  await fill(stage.root, {
    said: "",
    "home/.gitconfig": `[core]\n\tsshCommand = ${join(stage.root, "bin/mine")} -F own\n`,
  });
  expect((await (await again(member)).workspace.of(RUN).head()).commit).toBe(stage.commit);
  expect(await readFile(said, "utf8")).toMatch(/^-F own /);
});

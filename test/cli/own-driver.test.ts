import { chmodSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const EXAMPLE = readFileSync(join(import.meta.dirname, "../../examples/own-driver.ts"), "utf8");

/** Prints what the example driver reads, as a program that found its key. */
const PARROT = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require("node:fs");
const nonce = /"nonce":\\s*"([^"]+)"/.exec(readFileSync(0, "utf8"))[1];
writeFileSync("b.txt", process.env.PARROT_API_KEY + "\\n");
const text = JSON.stringify({ nonce, contract: { summary: "write b" } });
console.log(JSON.stringify({ type: "done", text, tokens: [1, 2] }));
`;

/** A repository with the example driver, and its program on the PATH. */
function createParrotScene(env: Readonly<Record<string, string>> = {}): Scene {
  const scene = makeScene({ env: { PARROT_API_KEY: "a key", ...env } });
  chmodSync(scene.put("../bin/parrot", PARROT), 0o755);
  scene.put(".signalbox/drivers/parrot.ts", EXAMPLE);
  scene.put(".signalbox/config.yaml", 'agents: { "*": { driver: parrot, model: grey } }\n');
  return scene;
}

const withPath = (scene: Scene) => ({
  env: { PATH: `${join(dirname(scene.repo), "bin")}:${process.env["PATH"]}` },
});

describe("a driver from the repository", () => {
  test("runs a role that names it, with the variables that the role names", async () => {
    const scene = createParrotScene();
    const ended = await scene.from(withPath(scene), "run", "small", "x", "--json");
    expect(ended.exit, ended.out + ended.err).toBe(0);
    expect(scene.git("show", `signalbox/${String(lastEvent(ended)["run"])}:b.txt`)).toBe("a key\n");
  });

  test("is available to agents, doctor and --agent like a built-in driver", async () => {
    const scene = createParrotScene();
    const roles = await scene.signalbox("agents", "check", "small", "--json");
    expect(lastEvent(roles)).toMatchObject({
      ok: false,
      roles: [{ agent: "parrot:grey", missing: "parrot is not on the PATH", next: "npm install -g parrot" }],
    });
    const doctor = await scene.from(withPath(scene), "doctor");
    expect(doctor.out).toContain("every role: parrot:grey, key in PARROT_API_KEY");
    const named = await scene.from(withPath(scene), "run", "small", "x", "--dry-run", "--agent", "*=parrot:red");
    expect(named.out).toContain("parrot:red");
  });

  test("[A-19] is shown before it runs, and is not loaded without trust", async () => {
    const scene = createParrotScene({ SIGNALBOX_TRUST: "" });
    scene.put(".signalbox/drivers/loud.ts", 'throw new Error("this was run");\n');
    const refused = await scene.signalbox("run", "small", "x", "--json");
    expect(refused.exit).toBe(4);
    expect(lastEvent(refused)["message"]).toContain("driver .signalbox/drivers/loud.ts");
    const roles = await scene.signalbox("agents", "list", "ledger", "--json");
    expect(lastEvent(roles)).toMatchObject({ code: "UNTRUSTED" });
    expect(lastEvent(roles)["message"]).toContain("loud.ts, parrot.ts");
  });

  test("[A-19] is covered by trust together with the files beside it, and a change asks again", async () => {
    const scene = createParrotScene({ SIGNALBOX_TRUST: "" });
    expect((await scene.signalbox("init", "--yes", "--json")).exit).toBe(0);
    const check = () => scene.from(withPath(scene), "agents", "check", "small", "--json");
    expect((await check()).exit).toBe(0);
    scene.put(".signalbox/drivers/words.json", "[]\n");
    expect(lastEvent(await check())).toMatchObject({ code: "UNTRUSTED" });
  });

  test("that throws while it is created is reported as an error in its file", async () => {
    const scene = makeScene();
    scene.put(
      ".signalbox/drivers/odd.ts",
      'export const odd = { name: "odd", create() { throw new Error("no cage"); } };\n',
    );
    const refused = await scene.signalbox("run", "small", "x", "--agent", "*=odd", "--json");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)).toMatchObject({ code: "DRIVER_INVALID", message: expect.stringContaining("no cage") });
  });

  test.each([
    ["starts no process outside the engine", 'import "node:child_process";\n', "processes.start"],
    ["imports nothing from outside its folder", 'export { x } from "../../lib/evil.ts";\n', ".signalbox/drivers"],
  ])("%s, or is refused", async (_what, text, hint) => {
    const scene = makeScene();
    scene.put("lib/evil.ts", "export const x = 1;\n");
    scene.put(".signalbox/drivers/odd.ts", text);
    const refused = await scene.signalbox("agents", "list", "small", "--json");
    expect(refused.exit).toBe(2);
    expect(lastEvent(refused)).toMatchObject({ code: "DRIVER_INVALID", hint: expect.stringContaining(hint) });
  });

  test("that exports no driver stops only the runs that use it", async () => {
    const scene = makeScene();
    scene.put(".signalbox/drivers/odd.ts", "export const name = 1;\n");
    expect((await scene.signalbox("agents", "list", "small", "--json")).exit).toBe(0);
    const refused = lastEvent(await scene.signalbox("run", "small", "x", "--agent", "*=odd", "--json"));
    expect(refused).toMatchObject({ code: "DRIVER_INVALID", hint: expect.stringContaining("defineDriver") });
  });
});

import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { makeScene, type Scene } from "./scene.ts";

const FAKE = fileURLToPath(new URL("../agents/fake-acp.mjs", import.meta.url));

/** Creates a scene in which the fake agent runs every role and behaves as given. */
function createScene(act: object): Scene {
  const scene = makeScene();
  const mine = { command: process.execPath, args: [FAKE], env: { FAKE_ACP: JSON.stringify(act) } };
  scene.put(".signalbox/config.yaml", JSON.stringify({ drivers: { mine }, agents: { "*": { driver: "mine" } } }));
  return scene;
}

const getCacheFolder = (scene: Scene): string => join(scene.repo, "../cache/signalbox");
/** A zombie process counts as dead; it has no command line any more. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";

describe("an agent probed by doctor --ask", () => {
  test("answers through its driver, and leaves nothing behind", async () => {
    const scene = createScene({ kind: "answers with what it was asked" });
    const told = await scene.signalbox("doctor", "--ask", "--json");
    expect(told.exit, told.out + told.err).toBe(0);
    const [answer] = JSON.parse(told.out).asked;
    expect(answer).toMatchObject({ agent: "mine", outcome: "answered", asAsked: true, needed: true });
    expect(answer.usage).toEqual({ inputTokens: 200, outputTokens: 40 });
    expect(readdirSync(getCacheFolder(scene))).not.toContain("questions");
    expect(scene.git("status", "--porcelain")).toBe("?? .signalbox/config.yaml\n");
  });

  test("that gives an unexpected answer is distinguished from one that fails", async () => {
    const told = await createScene({ kind: "answers", text: "Hello there." }).signalbox("doctor", "--ask");
    expect(told.exit).toBe(0);
    expect(told.out).toContain("uses a few tokens");
    expect(told.out).toMatch(/!\s+mine answered in .*240 tokens.*but not as requested: "Hello there\."/);
  });

  test("that fails is reported with class, code, message and fix, and a run could not start", async () => {
    const error = { code: -32000, message: "Authentication required: 401" };
    const scene = createScene({ kind: "fails", error });
    const told = await scene.signalbox("doctor", "--ask", "--json");
    expect(told.exit).toBe(4);
    expect(JSON.parse(told.out)).toMatchObject({ ready: false, asked: [{ outcome: "failed" }] });
    const [answer] = JSON.parse(told.out).asked;
    expect(answer.failure).toMatchObject({ class: "deterministic", code: "auth" });
    expect(answer.failure.message).toContain("Authentication required");
    const shown = await scene.signalbox("doctor", "--ask");
    expect(shown.out).toContain("auth (deterministic)");
    expect(shown.out).toMatch(/next: .+/);
  });

  test("is not started if the repository selects it and is not trusted", async () => {
    const scene = makeScene({ env: { SIGNALBOX_TRUST: "" } });
    const canary = join(scene.repo, "../canary");
    const argv = ["/usr/bin/touch", canary];
    scene.put(
      ".signalbox/config.yaml",
      JSON.stringify({ sandbox: "off", agents: { "*": { driver: "command", argv } } }),
    );
    const told = await scene.signalbox("doctor", "--ask", "--json");
    expect(told.exit).toBe(4);
    expect(JSON.parse(told.out)).toMatchObject({ asked: [], notAsked: { code: "UNTRUSTED" } });
    expect(existsSync(canary)).toBe(false);
    await scene.signalbox("doctor", "--ask", "--trust");
    expect(existsSync(canary)).toBe(true);
  });

  test("that no role needs may fail without affecting the result", async () => {
    const codex = makeScene().put("../bin/codex", "#!/bin/sh\necho 'codex-cli 0.166.0'; [ $# = 1 ]\n");
    chmodSync(codex, 0o755);
    const scene = makeScene({ env: { PATH: `${dirname(codex)}:${process.env["PATH"]}` } });
    const told = await scene.signalbox("doctor", "--ask", "--json");
    const mine = JSON.parse(told.out).asked.find(({ agent }: { agent: string }) => agent === "codex");
    expect(mine).toMatchObject({ needed: false, roles: [], outcome: "failed" });
    expect(told.exit, told.out).toBe(0);
  });
});

describe("an agent that never answers a probe", () => {
  /** Writes its process id to a file, then sleeps forever. */
  function createSleeper() {
    const scene = makeScene();
    const file = join(scene.repo, "../pid");
    const argv = ["/bin/sh", "-c", `echo $$ > '${file}.new'; mv '${file}.new' '${file}'; exec sleep 300`];
    scene.put(
      ".signalbox/config.yaml",
      JSON.stringify({ sandbox: "off", agents: { "*": { driver: "command", argv } } }),
    );
    const waitForPid = () => vi.waitFor(() => Number(readFileSync(file, "utf8")), { timeout: 30_000, interval: 50 });
    return { scene, started: waitForPid, questions: join(getCacheFolder(scene), "questions") };
  }

  test("is stopped by Ctrl-C, and its folder is removed", async () => {
    const { scene, started, questions } = createSleeper();
    const talk = scene.start("doctor", "--ask");
    const pid = await started();
    talk.kill("SIGINT");
    expect((await talk.ended).exit).toBe(130);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(questions)).toBe(false);
  });

  test("is stopped by the next doctor --ask after the first was killed", async () => {
    const { scene, started, questions } = createSleeper();
    const talk = scene.start("doctor", "--ask");
    const pid = await started();
    talk.kill("SIGKILL");
    await talk.ended;
    expect(existsSync(questions)).toBe(true);
    scene.put(".signalbox/config.yaml", JSON.stringify({ agents: { "*": { driver: "command", argv: ["/bin/cat"] } } }));
    expect((await scene.signalbox("doctor", "--ask")).exit).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(questions)).toBe(false);
  });
});

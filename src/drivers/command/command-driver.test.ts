import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createSupervisor } from "../../processes/supervisor.ts";
import { testWorld } from "../../processes/test-world.suite.ts";
import { type Behavior, collectEvents, createOrder, driverSuite } from "../driver.suite.ts";
import { createCommandDriver } from "./command-driver.ts";

driverSuite("command", (behavior, limits) => createCommandDriver({ name: "fake", argv: argvOf(behavior), limits }), {
  describe,
  it,
});

function argvOf(behavior: Behavior): readonly string[] {
  const sh = (script: string, ...args: string[]) => ["sh", "-c", script, "fake", ...args];
  switch (behavior.kind) {
    case "answers": {
      const { path, content } = behavior.writes ?? { path: "unused.txt", content: "" };
      return sh('cat > /dev/null; printf %s "$2" > "$1"; printf "%s\\n" "$3"', path, content, behavior.text);
    }
    case "answers, leaving a child in a session of its own":
      return sh('setsid sleep 300 & printf "%s\\n" "$1"', behavior.text);
    case "answers with what it was asked":
      return ["cat"];
    case "leaves":
      return sh('echo trouble >&2; exit "$1"', String(behavior.code));
    case "dies by a signal":
      return sh("kill -SEGV $$");
    case "hangs":
      return sh("trap '' TERM; setsid sleep 300 & while :; do sleep 1; done");
    case "floods":
      return ["yes"];
  }
}

describe("a command agent", () => {
  const root = mkdtempSync(join(tmpdir(), "signalbox-command-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const processes = createSupervisor({ world: testWorld });
  const play = async (argv: readonly string[], more: Parameters<typeof createOrder>[1] = {}) => {
    const order = createOrder(root, more);
    const driver = createCommandDriver({
      name: "fake",
      argv,
      environment: { from: { PATH, SECRET: "s", KEY: "k" }, pass: ["KEY"] },
    });
    const events = await collectEvents(driver.dispatch(order, processes, new AbortController().signal));
    return { order, last: events.at(-1) };
  };
  const { PATH } = process.env;

  it("reads the prompt from its standard input", async () => {
    const { last } = await play(["cat"], { prompt: "Say this: 'x' $(y)" });
    expect(last).toEqual({ type: "turn.finished", text: "Say this: 'x' $(y)" });
  });

  it("sees only allowed variables, and its own existing home", async () => {
    const { order, last } = await play(["sh", "-c", 'cd "$HOME" && cd "$TMPDIR" && cd "$XDG_CONFIG_HOME" && exec env']);
    const text = last?.type === "turn.finished" ? last.text : "";
    const seen = Object.fromEntries(
      text
        .trim()
        .split("\n")
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    expect(seen).toMatchObject({ KEY: "k", TERM: "dumb", NO_COLOR: "1", HOME: order.home, SIGNALBOX_ROLE: "designer" });
    expect(seen).toMatchObject({ SIGNALBOX_RUN: order.run, SIGNALBOX_COOKIE: order.effect, SIGNALBOX_ROUND: "1" });
    expect(seen).not.toHaveProperty("SECRET");
    expect(seen["TMPDIR"]).toBe(join(order.home, "tmp"));
  });

  it("fails permanently if its program is missing", async () => {
    const { last } = await play(["no-such-agent"]);
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code: "agent_missing" } });
  });

  it("reports its last output when it fails", async () => {
    const { last } = await play(["sh", "-c", "echo one; echo 'the disk is gone' >&2; exit 5"]);
    expect(last).toMatchObject({ type: "turn.failed", failure: { code: "agent_crashed", last: "the disk is gone" } });
    expect(last?.type === "turn.failed" && last.failure.message).toContain("exit code 5");
  });

  it.each(["1", "0"])("that reports a missing login on standard output needs a person, exit %s", async (code) => {
    const { last } = await play(["sh", "-c", `echo 'Not logged in · Please run /login'; exit ${code}`]);
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code: "auth" } });
  });

  it("may print more than 64 KiB and is read to the end", async () => {
    const { last } = await play(["sh", "-c", "head -c 200000 /dev/zero | tr '\\0' x; echo; echo end"]);
    expect(last?.type === "turn.finished" && last.text).toMatch(/^x{200000}\nend\n$/);
  });

  it("without a program is refused", () => {
    expect(() => createCommandDriver({ name: "fake", argv: [] })).toThrow('The agent "fake" has no command.');
  });
});

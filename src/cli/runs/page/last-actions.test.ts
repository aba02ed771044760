import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createRealWorld } from "../../real-world.ts";
import { readLastActions } from "./last-actions.ts";

const runs = mkdtempSync(join(tmpdir(), "signalbox-last-"));
afterAll(() => rmSync(runs, { recursive: true, force: true }));

const world = { ...createRealWorld({}), redact: (text: string) => text.replaceAll("s3cret", "[redacted]") };

/** Writes what the agent of an effect has printed so far. */
function printed(effect: string, text: string): { readonly effect: string } {
  const spool = join(runs, "r", "spool", `r-${world.hash(effect).slice(0, 16)}`);
  mkdirSync(spool, { recursive: true });
  writeFileSync(join(spool, "stdout"), text);
  return { effect };
}

const lastOf = async (agent: { readonly effect: string }) =>
  (await readLastActions({ places: { runs }, world }, "r", [agent])).get(agent.effect)?.text;

const tool = (command: string): string =>
  JSON.stringify({
    type: "assistant",
    message: { content: [{ type: "tool_use", name: "Bash", input: { command } }] },
  });

test("the last action of an agent is one line, whatever its protocol", async () => {
  expect(await lastOf(printed("r/a@1", "reading\nwriting a.txt\n\n"))).toBe("writing a.txt");
  expect(await lastOf(printed("r/b@1", `${tool("ls")}\n${tool("npm test")}\n`))).toMatch(/^· Bash: .*npm test/);
});

test("the last action contains no secrets and no control sequences", async () => {
  const text = await lastOf(printed("r/c@1", "the key is s3cret \u001b[2J\u001b]0;title\u0007and more\u202e\n"));
  expect(text).toBe("the key is [redacted] and more");
});

test("only the end of a long output is read, and an agent without output has no action", async () => {
  const text = await lastOf(printed("r/d@1", `${"x".repeat(2_000_000)}\nat last\n`));
  expect(text).toBe("at last");
  expect((await lastOf(printed("r/e@1", `${"y".repeat(500)}\n`)))?.length).toBeLessThanOrEqual(160);
  expect(await lastOf(printed("r/f@1", ""))).toBeUndefined();
  expect(await lastOf({ effect: "r/none@1" })).toBeUndefined();
});

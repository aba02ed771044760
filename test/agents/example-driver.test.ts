import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { parrotDriver } from "../../examples/own-driver.ts";
import { all, driverSuite, orderIn } from "../../src/drivers/driver.suite.ts";
import { supervisor } from "../../src/processes/supervisor.ts";
import { testWorld } from "../../src/processes/test-world.suite.ts";

const FAKE = fileURLToPath(new URL("./fake-parrot.mjs", import.meta.url));
const parrot = (act: object, limits = {}) =>
  parrotDriver({ argv: [process.execPath, FAKE, JSON.stringify(act)], limits });

driverSuite("example", parrot);

const root = mkdtempSync(join(tmpdir(), "signalbox-parrot-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each([
  ["a refused key", { kind: "refuses", message: "Who are you?", status: 401 }, "deterministic", "auth"],
  ["a busy model", { kind: "refuses", message: "429 Too Many Requests", status: 429 }, "transient", "rate_limit"],
  ["exit 0 without its last word", { kind: "says nothing more" }, "transient", "agent_incomplete"],
])("the example driver tells %s", async (_what, act, kind, code) => {
  const events = parrot(act).dispatch(orderIn(root), supervisor({ world: testWorld }), new AbortController().signal);
  expect((await all(events)).at(-1)).toMatchObject({ type: "turn.failed", failure: { class: kind, code } });
});

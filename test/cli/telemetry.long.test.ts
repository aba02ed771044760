import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startCollector } from "../../src/surfaces/telemetry/collector.fixture.ts";
import { makeWitness, SECRET } from "./witness.ts";

const { scene } = makeWitness();
const AGENTS = join(scene.repo, ".git/good.yaml");
const FLAGS = ["--agents", AGENTS, "--approvals", "autonomous", "--json"];
const ENV = "OTEL_EXPORTER_OTLP_ENDPOINT";

async function openCollector(answers?: () => number | undefined) {
  const collector = await startCollector(answers);
  onTestFinished(() => collector.close());
  return collector;
}

/** Writes this telemetry section to the configuration. */
function say(telemetry: string): void {
  const test = "head -n1 answer.txt | grep -qx 42 || { echo 'the answer is not 42'; exit 1; }";
  scene.put(".signalbox/config.yaml", `commands:\n  test: ${JSON.stringify(test)}\n${telemetry}\n`);
}

test("a resumed run is one trace from its steps to its root, without any agent text", async () => {
  const collector = await openCollector();
  say(`telemetry: { otlp: "${collector.endpoint}" }`);
  const paused = await scene.signalbox("run", "witness", "answer the question", ...FLAGS, "--max-dispatches", "2");
  expect([paused.exit, paused.err]).toEqual([5, ""]);
  const before = collector.spans().length;
  expect(before).toBeGreaterThan(3);
  const ended = await scene.signalbox("resume", "--max-dispatches", "9", "--json");
  expect([ended.exit, ended.err]).toEqual([0, ""]);
  const spans = collector.spans();
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect([ids.size, spans.length > before]).toEqual([spans.length, true]);
  expect(spans.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([]);
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "invoke_workflow witness",
      "1 Work",
      "invoke_agent maker",
      "execute_tool test",
      "gate good enough",
    ]),
  );
  expect(collector.metrics().map(({ name }) => name)).toContain("gen_ai.client.operation.duration");
  const all = collector.bodies.map(({ text }) => text).join("\n");
  for (const text of [SECRET, "answer the question", "put it right", "the answer is not 42", "grep"])
    expect(all).not.toContain(text);
}, 300_000);

test("the environment alone sends nothing; `telemetry: on` shows the address and the header names", async () => {
  const collector = await openCollector();
  const env = { [ENV]: collector.endpoint, OTEL_EXPORTER_OTLP_HEADERS: "x-team=a%20b" };
  say("");
  expect((await scene.from({ env }, "run", "witness", "x", ...FLAGS)).exit).toBe(0);
  expect(collector.bodies).toEqual([]);
  say("telemetry: on");
  expect((await scene.from({ env }, "run", "witness", "x", ...FLAGS)).exit).toBe(0);
  expect(collector.bodies[0]?.headers).toMatchObject({ "x-team": "a b", "content-type": "application/json" });
}, 300_000);

test("a collector that fails or does not respond does not affect the run, and is reported once", async () => {
  for (const answers of [() => 500, () => undefined]) {
    const collector = await openCollector(answers);
    say(`telemetry: { otlp: "${collector.endpoint}" }`);
    const ended = await scene.signalbox("run", "witness", "x", ...FLAGS);
    expect(ended.exit).toBe(0);
    expect(ended.err.match(/^warning: \d+ spans were not sent to 127\.0\.0\.1:\d+: /gm)).toHaveLength(1);
  }
}, 300_000);

test("an unencrypted address is refused before anything starts", async () => {
  say('telemetry: { otlp: "http://collector.example:4318" }');
  const { exit, out } = await scene.signalbox("run", "witness", "x", ...FLAGS);
  expect([exit, out]).toEqual([2, expect.stringContaining("https:// URL")]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { definePipeline, type Pipeline } from "../../core/authoring/pipeline.ts";
import { mergePolicy } from "./policy.ts";

const FILE = "governance/policy.json";
const pipeline = definePipeline(
  {
    name: "p",
    about: "a test",
    version: 1,
    input: z.unknown(),
    dialect: "json",
    phases: [{ title: "1 Work", roles: [] }],
    cap: 1,
    policy: { file: FILE, schema: z.looseObject({}) },
  },
  async () => ({ status: "done" }),
) as Pipeline;

test("the configuration overrides single settings of the policy file, and the nearest layer wins", async () => {
  const said = (policy: Record<string, unknown>) => ({ from: "x", config: { pipelines: { p: { policy } } } });
  const places = withFile('{ "a": 1, "deep": { "x": 1, "y": 2 }, "list": [1, 2] }');
  const layers = [said({ deep: { x: 3 } }), said({ deep: { x: 2 }, list: [9] })];
  expect(await mergePolicy(places, layers, pipeline)).toEqual({ a: 1, deep: { x: 3, y: 2 }, list: [9] });
});

test("the policy is undefined without a file and a configuration", async () => {
  expect(await mergePolicy(withFile(undefined), [], pipeline)).toBeUndefined();
});

test("a policy file that is not JSON is rejected by name", async () => {
  await expect(mergePolicy(withFile("{"), [], pipeline)).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringContaining(FILE),
  });
});

function withFile(text: string | undefined) {
  const top = mkdtempSync(join(tmpdir(), "signalbox-policy-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(dirname(join(top, FILE)), { recursive: true });
  if (text !== undefined) writeFileSync(join(top, FILE), text);
  return { top };
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { inputFrom } from "./input.ts";

// Of a pipeline only what it wants to be given.
const pipeline = { input: z.object({ request: z.string() }) } as unknown as Pipeline;

test("what never ends is not read to its end", async () => {
  const asked = inputFrom(pipeline, { input: ["@/dev/zero"] });
  await expect(asked).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringContaining("@/dev/zero cannot be read: it is larger than 64 MiB"),
  });
});

test("a file is read whole, and one that is not there is named", async () => {
  const dir = mkdtempSync(join(tmpdir(), "input-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, "in.yaml"), "request: größer\n");
  expect(await inputFrom(pipeline, { input: [`@${join(dir, "in.yaml")}`] })).toEqual({ request: "größer" });
  await expect(inputFrom(pipeline, { input: [`@${join(dir, "no")}`] })).rejects.toThrow("no cannot be read: ENOENT");
});

test("a value that begins with @ is the text of a file, and with two the value itself", async () => {
  const dir = mkdtempSync(join(tmpdir(), "input-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, "request.md"), "Make it\nbetter\n");
  const given = (value: string) => inputFrom(pipeline, { input: [`request=${value}`] });
  expect(await given(`@${join(dir, "request.md")}`)).toEqual({ request: "Make it\nbetter\n" });
  expect(await given("@@home")).toEqual({ request: "@home" });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { assembleInput } from "./input.ts";

// Only the input schema is used.
const pipeline = { input: z.object({ request: z.string() }) } as unknown as Pipeline;

test("an endless file is rejected", async () => {
  const asked = assembleInput(pipeline, { input: ["@/dev/zero"] });
  await expect(asked).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringContaining("@/dev/zero cannot be read: it is larger than 64 MiB"),
  });
});

test("a file is read completely, and a missing one is named in the error", async () => {
  const dir = mkdtempSync(join(tmpdir(), "input-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, "in.yaml"), "request: größer\n");
  expect(await assembleInput(pipeline, { input: [`@${join(dir, "in.yaml")}`] })).toEqual({ request: "größer" });
  await expect(assembleInput(pipeline, { input: [`@${join(dir, "no")}`] })).rejects.toThrow(
    "no cannot be read: ENOENT",
  );
});

test("a value that starts with @ is read from a file, and one with @@ is taken literally", async () => {
  const dir = mkdtempSync(join(tmpdir(), "input-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, "request.md"), "Make it\nbetter\n");
  const given = (value: string) => assembleInput(pipeline, { input: [`request=${value}`] });
  expect(await given(`@${join(dir, "request.md")}`)).toEqual({ request: "Make it\nbetter\n" });
  expect(await given("@@home")).toEqual({ request: "@home" });
});

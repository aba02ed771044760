import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAgentDefinition } from "../../src/cli/agents/agent-files.ts";
import { copyPipeline } from "../../src/cli/pipelines/copy-pipeline.ts";
import { BUILT_IN } from "../../src/pipelines/index.ts";

const PIPELINES = resolve(import.meta.dirname, "../../src/pipelines");

const listMarkdown = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".md")) : [];

const pipelines = await Promise.all(Object.values(BUILT_IN).map((load) => load()));

describe.each(pipelines.map((pipeline) => [pipeline.name, pipeline] as const))("%s", (name, { roles }) => {
  const folder = join(PIPELINES, name, "prompts");
  const files = listMarkdown(folder).map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));

  test("each prompt file has the form of a repository's agent file for its role", () => {
    const read = files.map(({ file, text }) => parseAgentDefinition(text, basename(file, ".md")));
    expect(read.filter(({ problem, unread }) => problem !== undefined || unread.length > 0)).toEqual([]);
    const known = roles.map((role) => role.name.toLowerCase());
    expect(read.filter(({ names }) => !names.some((each) => known.includes(each)))).toEqual([]);
    expect(read.map(({ description }) => description).filter((text) => text === undefined)).toEqual([]);
  });

  test("each shared file is used by a prompt file", () => {
    const shared = listMarkdown(join(folder, "shared")).map((file) => `{{${basename(file, ".md")}}}`);
    expect(shared.filter((mark) => !files.some(({ text }) => text.includes(mark)))).toEqual([]);
  });

  test("a copy of the pipeline contains its prompt files", async () => {
    const copied = (await copyPipeline(name, "ours")).map(({ path }) => path);
    expect(copied).toEqual(expect.arrayContaining(files.map(({ file }) => `ours/${name}/prompts/${file}`)));
  });
});

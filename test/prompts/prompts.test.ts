import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { matchesAny } from "../../src/core/checks/guard/glob.ts";
import { changesIn } from "../support/answers/paper-world.ts";
import { indexOf, pageOf, repeatedShare } from "./page.ts";
import { allPrompts, type Prompt } from "./prompts.ts";

const DOCS = resolve(import.meta.dirname, "recorded");
const page = (name: string): string => readFileSync(join(DOCS, `${name}.md`), "utf8");
const all = await allPrompts();

test("test/prompts/recorded has one page per pipeline and an index, as `npm run prompts` writes them", () => {
  expect(page("README")).toBe(indexOf(all));
  for (const each of all) expect(page(each.pipeline.name)).toBe(pageOf(each));
});

describe.each(all.map((each) => [each.pipeline.name, each] as const))("%s", (_name, { pipeline, runs }) => {
  const prompts = runs.flatMap((run) => run.prompts);
  const without = (holds: (prompt: Prompt) => boolean): string[] =>
    prompts.filter((prompt) => !holds(prompt)).map(({ role, round }) => `${role}, round ${round}`);

  test("every prompt contains the answer form once, at the end, with the nonce", () => {
    const heading = /^# Your answer$/gm;
    expect(without(({ text }) => [...text.matchAll(heading)].length === 1)).toEqual([]);
    expect(without(({ text }) => text.lastIndexOf("a1b2c3d4") > text.lastIndexOf("# Your answer"))).toEqual([]);
  });

  test("every prompt lists the configured checks with their commands and baseline results", () => {
    const lines = ["build: `make build`: passed before the work", "test: `make test`: passed before the work"];
    expect(without(({ text }) => lines.every((line) => text.includes(line)))).toEqual([]);
  });

  test("a building role is told to run the checks, and a writing role which files are stored", () => {
    const documents = ({ request }: Prompt) =>
      (request.writes ?? []).length > 0 && (request.writes ?? []).every((path) => /^!|\.(md|ya?ml|json)$/.test(path));
    const told = (prompt: Prompt) =>
      !prompt.writes ||
      (prompt.text.includes("Run them before you answer") !== documents(prompt) &&
        /are not kept|are kept/.test(prompt.text));
    expect(without(told)).toEqual([]);
  });

  test("the input is marked as data and fenced", () => {
    const input = /^# Your input\n\nData, not instructions\.[^\n]*\n\n(`{3,})yaml\n[\s\S]+?\n\1\n\n# Your files$/m;
    expect(without(({ text }) => input.test(text))).toEqual([]);
  });

  test("only building roles are told about ports and databases", () => {
    const told = ({ text, textApart }: Prompt) =>
      textApart.includes("SIGNALBOX_PORT_BASE") === text.includes("Run them before you answer");
    expect(without(told)).toEqual([]);
    expect(without(({ writes, textApart }) => writes || !textApart.includes("SIGNALBOX"))).toEqual([]);
  });

  test("no prompt mentions the base before there is a change", () => {
    const documents = pipeline.documents ?? [];
    const hasWork = ({ request }: Prompt) =>
      Object.keys(changesIn(request.tree)).some((path) => !matchesAny(path, documents));
    expect(without((prompt) => hasWork(prompt) || !prompt.text.includes("git diff base"))).toEqual([]);
  });

  test("no prompt contains text for other modes or fields for the record only", () => {
    const roleOf = (name: string) => pipeline.roles.find((role) => role.name === name);
    const alone = ({ role, request, text }: Prompt) => {
      // Inputs of built-in roles are objects.
      const input = request.input as Readonly<Record<string, unknown>>;
      const modes = [...text.matchAll(/^(?:- )?`(mode|review_scope): ([^`]+)`/gm)];
      const untold = roleOf(role)?.untold ?? [];
      const own = text.slice(text.indexOf("# Your input"), text.indexOf("# Your files"));
      return (
        modes.every(([, field = "", values = ""]) => values.split(" | ").includes(String(input[field]))) &&
        !untold.some((name) => new RegExp(`^${name}:`, "m").test(own))
      );
    };
    expect(without(alone)).toEqual([]);
    expect(prompts.some(({ text }) => /\btrace_id\b/.test(text))).toBe(false);
  });

  test("no prompt mentions rejected drafts, gate messages or exact forms", () => {
    const noise = /\bretried:|End your final message with exactly|EG-\d+: two of three/;
    expect(without(({ text }) => !noise.test(text))).toEqual([]);
  });

  test("no role text repeats a line", () => {
    const texts = pipeline.roles.map(
      ({ name, prompt = "", protocol = "" }) => [name, `${prompt}\n${protocol}`] as const,
    );
    const twice = texts.flatMap(([name, text]) => findRepeatedLines(text).map((line) => `${name}: ${line}`));
    expect(twice).toEqual([]);
  });
});

function findRepeatedLines(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim().length >= 40);
  return [...new Set(lines.filter((line, at) => lines.indexOf(line) !== at))];
}

test("the repeated share counts long lines that occurred before, and nothing else", () => {
  const line = "x".repeat(40);
  expect(repeatedShare([line, `${line}\nshort`, "short"])).toBeCloseTo(40 / (40 + 46 + 5));
});

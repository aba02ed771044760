import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import type { AttemptRequest } from "../../src/core/journal/effect.ts";
import { schemaFile, schemaFiles } from "../../src/pipelines/artifacts.ts";
import { ARTIFACTS } from "../../src/pipelines/ledger/documents/documents.ts";
import { RED } from "../support/answers/paper-world.ts";
import { approve, builds, FOLDER, plans, play, reporting, says, task } from "./paper.ts";
import { perform } from "./scripted.ts";

const evaluation = { artifact_path: "docs/x.md", usefulness_score: 7, clarity_score: 9, missing_information: "dates" };
const update = { file_path: ".github/instructions/a.md", change_type: "append", change_summary: "say it shorter" };

/** Answers that use every field, and one rework. */
const TALKATIVE = {
  reviewer: ({ round }: AttemptRequest) => ({
    contract: {
      verdicts: { ...approve, ...(round === 1 && { security: "needs_revision" }) },
      findings: [{ severity: "Minor", category: "security", message: "a secret in a log", files: ["a.ts"] }],
      artifact_evaluations: [evaluation],
    },
  }),
  knowledge: says({
    decision_log_entries: ["one text", { id: "D-1", title: "another", rationale: "because" }],
    artifact_evaluations: [evaluation],
    instruction_updates: [update],
  }),
};

/** A replan that replaces the failed tasks. */
const replanned = {
  planner: ({ round }: AttemptRequest) => plans(task(round === 1 ? "greet" : "greet-2"))(),
  implementer: builds(({ round }) => (round === 1 ? RED : "export {};")),
};

test("every structured file of a run satisfies the schema of its artifact", async () => {
  const runs = [
    await play({ parts: TALKATIVE }),
    await play({ parts: { implementer: builds(({ round }) => (round === 1 ? RED : "export {};")) } }),
    await play({ perform: reporting, parts: replanned }),
  ];
  const files = runs.flatMap(({ files }) => Object.entries(files).map(([name, text]) => ({ name, text })));
  expect(problems(files)).toEqual([]);
  expect(new Set(files.map(({ name }) => findArtifact(name)).filter(Boolean)).size).toBe(ARTIFACTS.length);
});

test("every file of a run with real processes does too", async () => {
  const { dir, run, remove } = await perform({});
  onTestFinished(remove);
  const folder = join(dir, "runs", run, "artifacts", FOLDER);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".yaml"));
  expect(names).toContain("plan-output.yaml");
  expect(problems(names.map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") })))).toEqual([]);
});

test.each([
  ["plan-output", { overall_risk_summary: "🟣", total_tasks: 1, waves: [], tasks: [] }, "overall_risk_summary"],
  ["review-verdict", { by: "a", round: 1, verdicts: { security: "approve" } }, "verdicts.architecture"],
])("a %s that does not match its schema is refused by field", (name, value, field) => {
  expect(listMismatches(name, value).join()).toContain(field);
});

function problems(files: readonly { readonly name: string; readonly text: string }[]): readonly string[] {
  return files
    .filter(({ name }) => name.endsWith(".yaml"))
    .flatMap(({ name, text }) => {
      const artifact = findArtifact(name);
      return artifact === undefined ? [`${name}: no artifact`] : listMismatches(artifact, parse(text));
    });
}

function findArtifact(name: string): string | undefined {
  const path = `docs/feature/greet-people-by-name/${name}`;
  const fits = (pattern: string): boolean => new RegExp(`^${pattern.replaceAll(/<[^>]+>/g, "[^/]+")}$`).test(path);
  return ARTIFACTS.find((artifact) => fits(artifact.path))?.name;
}

/** Returns mismatches by the schema itself and by its exported JSON Schema. */
function listMismatches(name: string, value: unknown): readonly string[] {
  const own = ARTIFACTS.find((artifact) => artifact.name === name)?.schema ?? z.never();
  const exported = schemaFiles().find(({ file }) => file === schemaFile("ledger", name))?.schema ?? false;
  return [own, z.fromJSONSchema(exported)].flatMap((schema) => {
    const { error } = schema.safeParse(value);
    return (error?.issues ?? []).map(({ path, message }) => `${name} ${path.join(".")}: ${message}`);
  });
}

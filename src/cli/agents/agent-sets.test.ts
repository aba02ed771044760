import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { BUILT_IN } from "../../pipelines/index.ts";
import { parseAgentDefinition, readAgentFiles } from "./agent-files.ts";
import { markAgentSets } from "./agent-sets.ts";
import { resolveRoleDefinition } from "./definitions.ts";

/** Agents of a project that plans in phases, by the names it uses. */
const TEAM = [
  ...["Orchestrator", "Planner", "CodeMapper-subagent", "Researcher-subagent", "PlanAuditor-subagent"],
  ...["AssumptionVerifier-subagent", "ExecutabilityVerifier-subagent", "CoreImplementer-subagent"],
  ...["UIImplementer-subagent", "PlatformEngineer-subagent", "TechnicalWriter-subagent", "BrowserTester-subagent"],
  "CodeReviewer-subagent",
];

const tops: string[] = [];
afterEach(() => {
  for (const top of tops.splice(0)) rmSync(top, { recursive: true, force: true });
});

/** Returns where each role of a pipeline is defined, for a repository with these files. */
async function definedIn(files: Readonly<Record<string, string>>) {
  const top = mkdtempSync(join(tmpdir(), "signalbox-agents-"));
  tops.push(top);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(top, path, ".."), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  const found = await markAgentSets(await readAgentFiles(top));
  return async (name: string) => {
    const pipeline = await BUILT_IN[name]?.();
    const rows = pipeline?.roles.map(({ name: role }) => {
      const { from, ignored } = resolveRoleDefinition({ pipeline, role, files: found, choice: undefined });
      return [role, { from, ignored }] as const;
    });
    return Object.fromEntries(rows ?? []);
  };
}

const team = (folder: string) =>
  Object.fromEntries(
    TEAM.map((name) => [`${folder}${name}.agent.md`, `---\ndescription: ${name}\n---\nYou are ${name}.\n`]),
  );

describe.each(["", ".github/agents/"])("an agent set in «%s»", (folder) => {
  test("is found for every role of its pipeline, with and without the suffix", async () => {
    const phases = await (await definedIn(team(folder)))("phases");
    expect(Object.keys(phases)).toHaveLength(12);
    for (const [role, { from }] of Object.entries(phases)) {
      expect([`${folder}${role}.agent.md`, `${folder}${role}-subagent.agent.md`]).toContain(from);
    }
  });

  test.each(["ledger", "clusters", "ticket", "roadmap"])("is not used by %s, with a reason", async (other) => {
    const roles = await (await definedIn(team(folder)))(other);
    expect(new Set(Object.values(roles).map(({ from }) => from))).toEqual(new Set(["built in"]));
    const planner = roles["planner"] ?? roles["Planner"];
    if (!planner) return;
    const because = "its folder contains the agents of phases";
    expect(planner.ignored).toEqual([{ file: `${folder}Planner.agent.md`, what: "all of it", because }]);
  });
});

test("a single file applies to every pipeline with such a role", async () => {
  const at = await definedIn({ ".claude/agents/planner.md": "Plan.\n" });
  for (const name of ["ledger", "clusters"]) {
    expect((await at(name))["planner"]?.from).toBe(".claude/agents/planner.md");
  }
  expect((await at("phases"))["Planner"]?.from).toBe(".claude/agents/planner.md");
});

test("a file that names its pipelines applies to these only", async () => {
  const at = await definedIn({ ".claude/agents/planner.md": "---\npipeline: ledger\n---\nPlan.\n" });
  expect((await at("ledger"))["planner"]?.from).toBe(".claude/agents/planner.md");
  expect((await at("clusters"))["planner"]).toMatchObject({
    from: "built in",
    ignored: [{ because: "it applies only to ledger" }],
  });
});

test("a set affects only its own folder", async () => {
  const at = await definedIn({ ...team(".github/agents/"), ".claude/agents/planner.md": "Plan.\n" });
  expect((await at("ledger"))["planner"]?.from).toBe(".claude/agents/planner.md");
  expect((await at("phases"))["Planner"]?.from).toBe(".github/agents/Planner.agent.md");
});

test("front matter sentences with a colon are parsed, and broken front matter is rejected", () => {
  const read = (head: string) => parseAgentDefinition(`---\n${head}\n---\nMap.\n`, "codemapper-subagent");
  expect(read("description: Finds files: fast, and reads nothing else\nmodel: gpt")).toMatchObject({
    names: ["codemapper-subagent", "codemapper"],
    description: "Finds files: fast, and reads nothing else",
    model: "gpt",
    prompt: "Map.",
  });
  expect(read("name: [")).toMatchObject({ problem: expect.stringContaining("its front matter is not YAML") });
});

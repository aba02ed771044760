import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { BUILT_IN } from "../../pipelines/index.ts";
import { agentFilesIn, readAgentText } from "./agent-files.ts";
import { withSets } from "./agent-sets.ts";
import { defineRoleFrom } from "./definitions.ts";

/** Agents of a project that plans in phases, as it calls them. */
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

/** Where each role of each pipeline is defined in a repository that has these files. */
async function definedIn(files: Readonly<Record<string, string>>) {
  const top = mkdtempSync(join(tmpdir(), "signalbox-agents-"));
  tops.push(top);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(top, path, ".."), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  const found = await withSets(await agentFilesIn(top));
  return async (name: string) => {
    const pipeline = await BUILT_IN[name]?.();
    const rows = pipeline?.roles.map(({ name: role }) => {
      const { from, ignored } = defineRoleFrom({ pipeline, role, files: found, choice: undefined });
      return [role, { from, ignored }] as const;
    });
    return Object.fromEntries(rows ?? []);
  };
}

const team = (folder: string) =>
  Object.fromEntries(
    TEAM.map((name) => [`${folder}${name}.agent.md`, `---\ndescription: ${name}\n---\nYou are ${name}.\n`]),
  );

describe.each(["", ".github/agents/"])("a team's files in «%s»", (folder) => {
  test("are found for every role of their pipeline, with and without the suffix", async () => {
    const phases = await (await definedIn(team(folder)))("phases");
    expect(Object.keys(phases)).toHaveLength(12);
    for (const [role, { from }] of Object.entries(phases)) {
      expect([`${folder}${role}.agent.md`, `${folder}${role}-subagent.agent.md`]).toContain(from);
    }
  });

  test.each(["ledger", "clusters", "ticket", "roadmap"])("are not taken by %s, which says why", async (other) => {
    const roles = await (await definedIn(team(folder)))(other);
    expect(new Set(Object.values(roles).map(({ from }) => from))).toEqual(new Set(["built in"]));
    const planner = roles["planner"] ?? roles["Planner"];
    if (!planner) return;
    const because = "its folder holds the agents of phases";
    expect(planner.ignored).toEqual([{ file: `${folder}Planner.agent.md`, what: "all of it", because }]);
  });
});

test("one file alone is for every pipeline that has such a role", async () => {
  const at = await definedIn({ ".claude/agents/planner.md": "Plan.\n" });
  for (const name of ["ledger", "clusters"]) {
    expect((await at(name))["planner"]?.from).toBe(".claude/agents/planner.md");
  }
  expect((await at("phases"))["Planner"]?.from).toBe(".claude/agents/planner.md");
});

test("a file that names its pipelines is for these alone", async () => {
  const at = await definedIn({ ".claude/agents/planner.md": "---\npipeline: ledger\n---\nPlan.\n" });
  expect((await at("ledger"))["planner"]?.from).toBe(".claude/agents/planner.md");
  expect((await at("clusters"))["planner"]).toMatchObject({
    from: "built in",
    ignored: [{ because: "it is for ledger" }],
  });
});

test("a set is one folder's: what lies elsewhere counts as before", async () => {
  const at = await definedIn({ ...team(".github/agents/"), ".claude/agents/planner.md": "Plan.\n" });
  expect((await at("ledger"))["planner"]?.from).toBe(".claude/agents/planner.md");
  expect((await at("phases"))["Planner"]?.from).toBe(".github/agents/Planner.agent.md");
});

test("a sentence with a colon in the head of a file is read as one, and a head that is broken is still refused", () => {
  const read = (head: string) => readAgentText(`---\n${head}\n---\nMap.\n`, "codemapper-subagent");
  expect(read("description: Finds files: fast, and reads nothing else\nmodel: gpt")).toMatchObject({
    names: ["codemapper-subagent", "codemapper"],
    description: "Finds files: fast, and reads nothing else",
    model: "gpt",
    prompt: "Map.",
  });
  expect(read("name: [")).toMatchObject({ problem: expect.stringContaining("its head is not YAML") });
});

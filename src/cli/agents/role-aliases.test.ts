import { expect, test } from "vitest";
import { BUILT_IN } from "../../pipelines/index.ts";
import { type AgentFile, selectAgentFiles } from "./agent-files.ts";
import { resolveRoleDefinition } from "./definitions.ts";

const file = (name: string): AgentFile => ({
  path: `.github/agents/${name}.agent.md`,
  folder: ".github/agents",
  names: [name],
  prompt: `You are ${name}.`,
  unread: [],
});

test.each([
  ["reviewer", "adversarial-reviewer"],
  ["knowledge", "knowledge-agent"],
])("the role %s is defined by a file named %s", async (role, name) => {
  const pipeline = await BUILT_IN["ledger"]?.();
  if (!pipeline) throw new Error("there is a ledger");
  const definition = resolveRoleDefinition({ pipeline, role, files: [file(name)], choice: undefined });
  expect(definition).toMatchObject({ from: `.github/agents/${name}.agent.md`, prompt: `You are ${name}.` });
});

test("a file with the role's name precedes one with an alias, and each is listed once", () => {
  const files = [{ ...file("keeper"), names: ["keeper", "knowledge"] }, file("knowledge-agent"), file("knowledge")];
  const found = selectAgentFiles(files, { name: "knowledge", aliases: ["knowledge-agent", "keeper"] });
  expect(found.map(({ names: [first] }) => first)).toEqual(["keeper", "knowledge", "knowledge-agent"]);
});

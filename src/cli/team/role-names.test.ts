import { expect, test } from "vitest";
import { createMemoryHost } from "../../hosts/memory/host.ts";
import { createRealWorld } from "../real-world.ts";
import { applyRoleNames } from "./role-names.ts";

test.each([
  ["ada", "eve", "eve"],
  ["eve", "eve", "eve"],
  ["eve through the dashboard", "eve", "eve through the dashboard"],
  ["ada through the dashboard", "eve", "eve"],
  ["ada", undefined, "ada"],
])("a message by %s from the role %s is attributed to %s", async (by, role, name) => {
  const host = createMemoryHost({ world: createRealWorld() });
  await host.runs.create({ id: "r", pipeline: "p", repo: "here" });
  await host.inbox.post("r", { kind: "cancel", by });
  const known = role === undefined ? {} : { role };
  const unread = async (run: string) => (await host.inbox.unread(run)).map((each) => ({ ...each, ...known }));
  const letters = await applyRoleNames({ ...host.inbox, unread }).unread("r");
  expect(letters.map(({ letter }) => letter.by)).toEqual([name]);
});

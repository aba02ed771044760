import { expect, test } from "vitest";
import type { Host } from "../../core/ports/host.ts";
import { createMemoryHost } from "../../hosts/memory/host.ts";
import { createMemoryStore } from "../../hosts/memory/store.ts";
import { createRealWorld } from "../real-world.ts";
import { enforceApprovers, isApprover, requireApprover } from "./approvers.ts";

test("every role is an approver if none is configured", () => {
  expect(isApprover("ada", undefined)).toBe(true);
});

test.each([
  ["ada", true],
  ["adam", false],
  ["ada through the dashboard", false],
  [undefined, false],
])("role %s is an approver of [ada, grace]: %s", (role, may) => {
  expect(isApprover(role, ["ada", "grace"])).toBe(may);
});

test("the error for a non-approver names the approvers", () => {
  expect(() => requireApprover("eve", ["ada"])).toThrow(/Database role eve may not/);
});

test("the answer of another role is dropped, whatever its name, and reported", async () => {
  const host = createMemoryHost({ world: createRealWorld(), store: createMemoryStore() });
  await host.runs.create({ id: "r", pipeline: "p", repo: "here" });
  const answer = { kind: "answer", approval: "q", choice: "yes", hash: "h" } as const;
  await host.inbox.post("r", { ...answer, by: "ada" });
  const dropped: string[] = [];
  const heeding = enforceApprovers(postedAs(host, "eve"), {
    approvers: ["ada"],
    dropped: (line) => dropped.push(line),
  });
  expect((await heeding.inbox.unread("r")).map(({ letter }) => letter)).toEqual([
    { kind: "dropped", of: "answer to q", by: "ada", why: "only ada may (team.approvers)" },
  ]);
  expect(dropped).toEqual(["dropped the answer to q by ada for r: not an approver"]);
});

test("only approvers may change the configuration; everybody may resume a run otherwise", async () => {
  const host = createMemoryHost({ world: createRealWorld(), store: createMemoryStore() });
  await host.runs.create({ id: "r", pipeline: "p", repo: "here" });
  const plain = { kind: "resume", by: "eve", limits: { usd: 1 } } as const;
  await host.inbox.post("r", plain);
  await host.inbox.post("r", { kind: "resume", by: "eve", config: { commands: [] } });
  const heeding = enforceApprovers(postedAs(host, "eve"), { approvers: ["ada"], dropped: () => undefined });
  expect((await heeding.inbox.unread("r")).map(({ letter }) => letter)).toEqual([
    plain,
    { kind: "dropped", of: "new configuration", by: "eve", why: "only ada may (team.approvers)" },
  ]);
});

test("the answer of an approver's role counts under any name", async () => {
  const host = createMemoryHost({ world: createRealWorld(), store: createMemoryStore() });
  await host.runs.create({ id: "r", pipeline: "p", repo: "here" });
  const answer = { kind: "answer", approval: "q", choice: "yes", hash: "h", by: "somebody" } as const;
  await host.inbox.post("r", answer);
  const heeding = enforceApprovers(postedAs(host, "ada"), { approvers: ["ada"], dropped: expect.unreachable });
  expect((await heeding.inbox.unread("r")).map(({ letter }) => letter)).toEqual([answer]);
});

/** Adds the role to each message, like a database that authenticates roles. */
function postedAs(host: Host, role: string): Host {
  const { inbox } = host;
  const unread = async (run: string) => (await inbox.unread(run)).map((each) => ({ ...each, role }));
  return { ...host, inbox: { ...inbox, unread } };
}

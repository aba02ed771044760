import { expect, test } from "vitest";
import type { Host } from "../../core/ports/host.ts";
import { memoryHost } from "../../hosts/memory/host.ts";
import { memoryStore } from "../../hosts/memory/store.ts";
import { realWorld } from "../real-world.ts";
import { heedApprovers, isApprover, requireApprover } from "./approvers.ts";

test("everybody is one where nobody is named", () => {
  expect(isApprover("ada", undefined)).toBe(true);
});

test.each([
  ["ada", true],
  ["adam", false],
  ["ada through the dashboard", false],
  [undefined, false],
])("the role %s among ada and grace: %s", (role, may) => {
  expect(isApprover(role, ["ada", "grace"])).toBe(may);
});

test("who may not is told who may", () => {
  expect(() => requireApprover("eve", ["ada"])).toThrow(/The role eve of the database may not/);
});

test("the answer of another role, under whatever name, is for other content, and its owner is told", async () => {
  const host = memoryHost({ world: realWorld(), store: memoryStore() });
  await host.runs.create({ id: "r", pipeline: "p", repo: "here" });
  const answer = { kind: "answer", approval: "q", choice: "yes", hash: "h" } as const;
  await host.inbox.post("r", { ...answer, by: "ada" });
  const dropped: string[] = [];
  const heeding = heedApprovers(postedAs(host, "eve"), { approvers: ["ada"], dropped: (line) => dropped.push(line) });
  expect((await heeding.inbox.unread("r")).map(({ letter }) => letter)).toEqual([{ ...answer, by: "ada", hash: "" }]);
  expect(dropped).toEqual(["the answer of ada (eve) to q of r is dropped: not an approver"]);
});

test("the answer of an approver's role stands under every name", async () => {
  const host = memoryHost({ world: realWorld(), store: memoryStore() });
  await host.runs.create({ id: "r", pipeline: "p", repo: "here" });
  const answer = { kind: "answer", approval: "q", choice: "yes", hash: "h", by: "somebody" } as const;
  await host.inbox.post("r", answer);
  const heeding = heedApprovers(postedAs(host, "ada"), { approvers: ["ada"], dropped: expect.unreachable });
  expect((await heeding.inbox.unread("r")).map(({ letter }) => letter)).toEqual([answer]);
});

/** As a database that knows its roles gives letters out. */
function postedAs(host: Host, role: string): Host {
  const { inbox } = host;
  const unread = async (run: string) => (await inbox.unread(run)).map((each) => ({ ...each, role }));
  return { ...host, inbox: { ...inbox, unread } };
}

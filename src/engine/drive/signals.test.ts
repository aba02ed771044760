import { expect, test } from "vitest";
import { z } from "zod";
import { pipe } from "../../../test/support/pipe.ts";
import { quickWorld, stage } from "../../../test/support/stage.ts";
import { definePipeline } from "../../core/authoring/pipeline.ts";
import type { Host, PostedSignal } from "../../core/ports/host.ts";
import { createMemoryHost } from "../../hosts/memory/host.ts";

const asks = pipe(async ({ phase, ask }) => {
  phase("1 Work");
  const { choice } = await ask({
    title: "Keep it?",
    show: {},
    choices: ["keep", "drop"],
    auto: "keep",
    accepts: "keep",
  });
  return { status: "done", reason: choice };
});

/** A store that knows roles, and gives letters out as it says. */
function knowing(change: (posted: PostedSignal) => PostedSignal): Host {
  const host = createMemoryHost({ world: quickWorld() });
  const { inbox } = host;
  return { ...host, inbox: { ...inbox, unread: async (run) => (await inbox.unread(run)).map(change) } };
}

test("a letter that counts for nothing is recorded and read, and the run waits on as it did", async () => {
  const dropped = { kind: "dropped", of: "letter", by: "eve", why: "it cannot be read" } as const;
  const host = knowing((posted) => ({ ...posted, letter: dropped, role: "eve" }));
  const s = await stage({ pipeline: asks, host, order: { approvals: "interactive" } });
  await s.post({ kind: "cancel", by: "ada" });
  expect(await s.drive()).toMatchObject({ status: "waiting" });
  const { kind: _kind, ...said } = dropped;
  const records = (await s.records()).filter(({ type }) => type === "letter.dropped");
  expect(records).toMatchObject([{ type: "letter.dropped", ...said, role: "eve" }]);
  expect(await host.inbox.unread(s.run)).toEqual([]);
});

test.each([
  [
    { kind: "cancel", by: "eve" },
    { type: "run.finished", status: "canceled", by: "eve", role: "eve" },
  ],
  [
    { kind: "pause", by: "eve" },
    { type: "run.suspended", status: "paused", reason: "paused by eve", role: "eve" },
  ],
  [
    { kind: "resume", by: "eve" },
    { type: "run.resumed", by: "eve", role: "eve" },
  ],
] as const)("with %j the role is recorded that the store knows", async (letter, record) => {
  const s = await stage({ pipeline: asks, host: knowing((posted) => ({ ...posted, role: "eve" })) });
  await s.post(letter);
  await s.drive();
  expect((await s.records()).find(({ type }) => type === record.type)).toMatchObject(record);
});

const asking = definePipeline(
  {
    name: "asking",
    about: "it",
    version: 1,
    input: z.unknown(),
    dialect: "json",
    phases: [{ title: "A" }],
    cap: 1,
  },
  async ({ phase, ask }) => {
    phase("A");
    await ask({ title: "Go on?", show: 1, choices: ["yes"], auto: "never" });
    return { status: "done" };
  },
);

const TURNS = 50;

/** As a server does that is asked over a network: the mark comes long after the run has parked again. */
function slowToMark(host: Host): Host {
  const read: Host["inbox"]["read"] = async (lease, ids) => {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await host.inbox.read(lease, ids);
  };
  return { ...host, inbox: { ...host.inbox, read } };
}

test("a resume signal is recorded once, however late it is marked as read", async () => {
  const s = await stage({ pipeline: asking, host: slowToMark(createMemoryHost({ world: quickWorld() })) });
  expect(await s.drive()).toMatchObject({ status: "waiting" });
  await s.post({ kind: "resume", by: "ada", limits: { dispatches: 50 } });
  expect(await s.drive()).toMatchObject({ status: "waiting" });
  expect((await s.records()).filter(({ type }) => type === "run.resumed")).toHaveLength(1);
  expect(await s.host.inbox.unread(s.run)).toEqual([]);
});

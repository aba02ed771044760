import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createStage, type Stage, stagePort } from "./port/port.fixture.ts";
import type { ServerPort } from "./port/port.ts";
import { openChangeStream } from "./stream.ts";

type Line = { type: string; now?: number; change?: { after: number; page: { seq: number; rows: unknown[] } } };

function opened(stage: Stage, more: Partial<ServerPort> = {}, after = 0) {
  const left = new AbortController();
  const port = { ...stagePort(stage), ...more };
  const reader = openChangeStream(port, { runs: new Map([["r-1", after]]), home: false }, left).getReader();
  const next = async (): Promise<Line> => {
    const { value, done } = await reader.read();
    return done ? { type: "end" } : JSON.parse(Buffer.from(value).toString("utf8"));
  };
  return { left, reader, next };
}

describe("a stream", () => {
  test("starts with what was missed since the reader's last record, and continues from there", async () => {
    const stage = createStage();
    stage.seq = 7;
    const { next, left } = opened(stage, {}, 4);
    expect(await next()).toMatchObject({ type: "page", change: { after: 4, page: { seq: 7, rows: [{ seq: 7 }] } } });
    stage.seq = 9;
    stage.ring();
    expect(await next()).toMatchObject({ type: "page", change: { after: 7, page: { seq: 9 } } });
    left.abort();
  });

  test("merges a thousand changes that nobody read into one, and buffers none of them", async () => {
    const stage = createStage();
    const { next, left } = opened(stage);
    await next();
    for (let at = 0; at < 1_000; at++) {
      stage.seq += 1;
      stage.ring();
      if (at % 100 === 0) await turn();
    }
    expect(stage.looks).toHaveLength(1);
    expect(await next()).toMatchObject({ change: { after: 1, page: { seq: 1_001 } } });
    expect(stage.looks).toHaveLength(2);
    left.abort();
  });

  test("sends nothing for a signal without a change, and a beat when it is due", async () => {
    const stage = createStage();
    let now = 0;
    const { next, left } = opened(stage, { now: () => now });
    await next();
    stage.ring();
    now = 6_000;
    expect(await next()).toEqual({ type: "beat", now: 6_000 });
    left.abort();
  });

  test("sends at most four changes of a run per second", async () => {
    const stage = createStage();
    let now = 0;
    const { next, left } = opened(stage, { now: () => now });
    await next();
    stage.seq = 2;
    stage.ring();
    const waiting = next();
    await turn();
    expect(stage.looks).toHaveLength(1);
    now = 250;
    expect(await waiting).toMatchObject({ change: { page: { seq: 2 } } });
    left.abort();
  });

  test("continues if one of its runs is gone", async () => {
    const stage = createStage();
    const port = stagePort(stage);
    const changes = async () => {
      throw new Error("gone");
    };
    const { next, left } = opened(stage, { runs: { ...port.runs, changes }, now: Date.now });
    expect(await next()).toMatchObject({ type: "gone", run: "r-1", error: { code: "INTERNAL" } });
    left.abort();
    expect(await next()).toEqual({ type: "end" });
  });

  test("stops watching when its reader leaves", async () => {
    const stage = createStage();
    const { next, reader, left } = opened(stage);
    await next();
    const { ring } = stage;
    const waiting = next();
    await reader.cancel();
    await waiting;
    await turn();
    expect(left.signal.aborted).toBe(true);
    expect(stage.ring).not.toBe(ring);
  });

  test("stops watching when its reader leaves after a line without requesting another", async () => {
    const stage = createStage();
    const { next, reader } = opened(stage);
    await next();
    const { ring } = stage;
    await reader.cancel();
    await turn();
    expect(stage.ring).not.toBe(ring);
  });
});

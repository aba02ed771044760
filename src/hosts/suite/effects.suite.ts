import { expect } from "vitest";
import type { Effect, EffectKind, EffectResult } from "../../core/journal/effect.ts";
import type { Handlers } from "../../core/ports/host.ts";
import type { HostCase } from "./scene.ts";

const never = new AbortController().signal;

export function effectCases(it: HostCase): void {
  it("an effect that is started is performed once, one that is resumed is recovered once", async ({ host, newRun }) => {
    const calls: string[] = [];
    await host.serve(answering(calls));
    const run = await newRun();
    expect(await host.effects.start(see(run, "1 Look/see@1"), never)).toBe("performed 1 Look/see@1");
    expect(await host.effects.resume(see(run, "1 Look/see@2"), never)).toBe("recovered 1 Look/see@2");
    expect(calls).toEqual([`perform ${run}/1 Look/see@1`, `recover ${run}/1 Look/see@2`]);
  });

  it("an error thrown while performing reaches the caller", async ({ host, newRun }) => {
    const failing = async () => {
      throw new Error("the disk is gone");
    };
    await host.serve({ ...answering([]), perform: failing, recover: failing });
    const run = await newRun();
    await expect(host.effects.start(see(run, "a@1"), never)).rejects.toThrow("the disk is gone");
    await expect(host.effects.resume(see(run, "b@1"), never)).rejects.toThrow("the disk is gone");
  });

  it("a signal that fires reaches the performer", async ({ host, newRun }) => {
    const stop = new AbortController();
    // `see` returns JSON, which the caller's type cannot narrow further.
    const perform = (async (_effect: Effect, signal: AbortSignal) => {
      stop.abort();
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      return "stopped";
    }) as Handlers["perform"];
    await host.serve({ ...answering([]), perform });
    expect(await host.effects.start(see(await newRun(), "a@1"), stop.signal)).toBe("stopped");
  });

  it("driving a run calls the served handler and returns its result", async ({ host, newRun }) => {
    const calls: string[] = [];
    await host.serve(answering(calls));
    const run = await newRun();
    expect(await host.drive(run)).toEqual({ status: "waiting", exit: 3 });
    expect(calls).toEqual([`drive ${run}`]);
  });

  it("a text is returned by its digest from every handle", async ({ host, another }) => {
    const other = await another();
    const texts = ["", "a\u0000b \ud83d\ude80 '; --", "x".repeat(1_000_000)];
    for (const text of texts) {
      const digest = await host.blobs.put(text);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect(await host.blobs.put(text)).toBe(digest);
      expect(await other.blobs.get(digest)).toBe(text);
    }
    expect(await host.blobs.get("0".repeat(64))).toBeUndefined();
  });

  it("closing twice is harmless", async ({ host }) => {
    await host.close();
    await host.close();
  });
}

function see(run: string, place: string): Effect<"see"> {
  return { id: `${run}/${place}`, run, kind: "see", request: { what: "head", args: place } };
}

/** Handlers that record their calls and answer `see` with a text. */
function answering(calls: string[]): Handlers {
  const answer = (verb: string, done: string) =>
    (async <K extends EffectKind>(effect: Effect<K>) => {
      calls.push(`${verb} ${effect.id}`);
      const text = `${done} ${effect.id.slice(effect.run.length + 1)}`;
      return text as EffectResult<K>; // these cases only use `see`, whose result is any JSON
    }) satisfies Handlers["perform"];
  return {
    drive: async (run) => {
      calls.push(`drive ${run}`);
      return { status: "waiting", exit: 3 };
    },
    perform: answer("perform", "performed"),
    recover: answer("recover", "recovered"),
  };
}

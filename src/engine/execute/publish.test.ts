import { expect, test } from "vitest";
import { SignalboxError } from "../../core/failure/errors.ts";
import { publishWithRetry } from "./publish.ts";

const away = new SignalboxError("REMOTE_UNREACHABLE", "no route", "wait");
const never = new AbortController().signal;

/** A remote that is away for so long, by a clock that only sleeping moves. */
function remote(awayMs: number, failure = away) {
  let at = 0;
  const asked: number[] = [];
  const workspace = {
    publish: async () => {
      asked.push(at);
      if (at < awayMs) throw failure;
    },
  };
  const sleep = async (ms: number) => {
    at += ms;
  };
  return { asked, parts: { workspace, world: { now: () => at, sleep } } };
}

test("a remote that comes back within a minute has what was made, and nobody hears of it", async () => {
  const { asked, parts } = remote(58_000);
  await publishWithRetry(parts, never);
  expect(asked.at(-1)).toBe(58_000);
});

test("one that stays away is told after a minute, and one that refuses at once", async () => {
  const { asked, parts } = remote(120_000);
  await expect(publishWithRetry(parts, never)).rejects.toBe(away);
  expect(asked.at(-1)).toBe(60_000);
  const refused = remote(120_000, new SignalboxError("REMOTE_REFUSED", "no", "ask"));
  await expect(publishWithRetry(refused.parts, never)).rejects.toMatchObject({ code: "REMOTE_REFUSED" });
  expect(refused.asked).toEqual([0]);
});

test("a stopped worker no longer waits", async () => {
  const { asked, parts } = remote(120_000);
  await expect(publishWithRetry(parts, AbortSignal.abort())).rejects.toBe(away);
  expect(asked).toEqual([0]);
});

test("work that is finished when its worker is told to stop is not lost: it is named as not yet on the remote", async () => {
  const stopped = AbortSignal.abort(new Error("told to stop"));
  const workspace = { publish: () => Promise.reject(stopped.reason) };
  const { world } = remote(0).parts;
  await expect(publishWithRetry({ workspace, world }, stopped)).rejects.toMatchObject({ code: "REMOTE_UNREACHABLE" });
});

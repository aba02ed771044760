import { parentPort } from "node:worker_threads";
import { READINGS, type ReadingName } from "./readings.ts";

/** Worker thread for reading, so that the main thread can renew leases and receive signals. */
export type ReadingRequest = { readonly name: ReadingName; readonly question: unknown };
export type ReadingReply = { readonly answer: unknown } | { readonly threw: string };

parentPort?.on("message", ({ name, question }: ReadingRequest) => {
  parentPort?.postMessage(answerReading(name, question));
});

parentPort?.postMessage("ready");

function answerReading(name: ReadingName, question: unknown): ReadingReply {
  // The caller has the types of both; each name has the question that belongs to it.
  const read = READINGS[name] as (question: unknown) => unknown;
  try {
    return { answer: read(question) };
  } catch (error) {
    return { threw: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

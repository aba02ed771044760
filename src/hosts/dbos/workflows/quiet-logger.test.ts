import { expect, test } from "vitest";
import { createQuietLogger } from "./quiet-logger.ts";

test("a repeated problem is logged once, and connection losses are not logged", () => {
  const told: string[] = [];
  const logger = createQuietLogger((line) => told.push(line));
  logger.warn("Error listing queues: the database system is starting up");
  logger.error(new Error("connect ECONNREFUSED 127.0.0.1:5432"));
  logger.warn("Contention detected in queue a.");
  logger.warn("Contention detected in queue a.");
  logger.info();
  expect(told).toEqual(["Contention detected in queue a."]);
});

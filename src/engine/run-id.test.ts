import { expect, test } from "vitest";
import { runId } from "./run-id.ts";

test("[A-05] run ids sort by time and are safe in refs, folders and SQL", () => {
  const times = [0, 999, 1_000, 86_400_000, 1_900_000_000_000];
  const ids = times.map((now) => runId(now, "K3f9ab-0123"));
  for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(runId(0, "aaaaaa")).not.toBe(runId(0, "bbbbbb"));
});

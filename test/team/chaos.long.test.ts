import { expect, test } from "vitest";
import { often } from "../often.ts";
import { chaos } from "./chaos.ts";
import { chaosLines } from "./chaos-lines.ts";

/** Start manually: `node test/team/main.ts --minutes 10 --runs 200`. */
test("runs on three workers end as expected while workers are killed and paused and Postgres is restarted", {
  timeout: 1_800_000,
}, async () => {
  const report = await chaos({
    runs: often(5, 25),
    seconds: often(60, 180),
    killEveryMs: 15_000,
    restartEveryMs: 10_000,
    pauseMs: 20_000,
  });
  console.log(chaosLines(report).join("\n"));
  expect(report.wrong).toEqual([]);
  expect(report.troubles.kill).toBeGreaterThan(0);
  expect(report.troubles.pause).toBeGreaterThan(0);
  expect(report.troubles.restart).toBeGreaterThan(0);
});

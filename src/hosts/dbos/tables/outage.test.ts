import { expect, test } from "vitest";
import { createOutage } from "./outage.ts";

function scene() {
  const told: string[] = [];
  let at = 0;
  const outage = createOutage({ log: (line) => told.push(line), now: () => at });
  const later = (ms: number, what: "lost" | "answered") => {
    at += ms;
    outage[what]();
  };
  return { told, later };
}

test("an outage is logged once however many queries meet it, and its length when it ends", () => {
  const { told, later } = scene();
  for (const ms of [0, 500, 600, 30_000, 60_000]) later(ms, "lost");
  later(900, "answered");
  later(5_000, "answered");
  expect(told).toEqual(["lost connection to Postgres; waiting for it", "Postgres is available again after 92 s"]);
});

test("a connection that is replaced at once is not logged, and a second outage is logged again", () => {
  const { told, later } = scene();
  later(0, "lost");
  later(200, "answered");
  expect(told).toEqual([]);
  later(10_000, "lost");
  later(2_000, "lost");
  later(1_000, "answered");
  expect(told).toEqual(["lost connection to Postgres; waiting for it", "Postgres is available again after 3 s"]);
});

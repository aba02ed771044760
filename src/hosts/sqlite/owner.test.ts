import { expect, onTestFinished, test } from "vitest";
import { otherProcess } from "./fixtures/start.ts";
import { ownerIsDead, ownerName } from "./owner.ts";

const [HOST, PID, START, BOOT] = ownerName().split(":");

test("a living process is not dead", () => {
  expect(ownerIsDead(ownerName())).toBe(false);
});

test("a killed process is dead, even before it is reaped", async () => {
  const other = otherProcess("own", "");
  onTestFinished(() => void other.child.kill("SIGKILL"));
  await other.said(1);
  const owner = other.lines[0] ?? "";
  expect(ownerIsDead(owner)).toBe(false);
  other.child.kill("SIGKILL");
  // Without a turn of the event loop the process is not reaped and stays a zombie.
  const deadline = performance.now() + 5_000;
  while (!ownerIsDead(owner) && performance.now() < deadline);
  expect(ownerIsDead(owner)).toBe(true);
  await other.ended;
  expect(ownerIsDead(owner)).toBe(true);
});

test.skipIf(!BOOT)("a process with a reused pid is not the owner", () => {
  expect(ownerIsDead([HOST, PID, Number(START) - 1, BOOT].join(":"))).toBe(true);
});

test.skipIf(!BOOT)("no owner survives a reboot", () => {
  expect(ownerIsDead([HOST, PID, START, `another${BOOT}`].join(":"))).toBe(true);
});

test.skipIf(!BOOT?.includes("/"))("owners in another container are not judged", () => {
  expect(ownerIsDead([HOST, "999999999", START, `${BOOT}1`].join(":"))).toBe(false);
});

test("owners on another machine and other names are not judged", () => {
  for (const owner of [
    `elsewhere:${PID}:1:${BOOT}`,
    "engine-a",
    "",
    ":::",
    `${HOST}:x:${START}:${BOOT}`,
    `${HOST}:1`,
  ]) {
    expect(ownerIsDead(owner), owner).toBe(false);
  }
});

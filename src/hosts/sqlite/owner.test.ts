import { expect, onTestFinished, test } from "vitest";
import { startOtherProcess } from "./fixtures/start.ts";
import { getOwnerName, isOwnerDead } from "./owner.ts";

const [HOST, PID, START, BOOT] = getOwnerName().split(":");

test("a living process is not dead", () => {
  expect(isOwnerDead(getOwnerName())).toBe(false);
});

test("a killed process is dead, even before it is reaped", async () => {
  const other = startOtherProcess("own", "");
  onTestFinished(() => void other.child.kill("SIGKILL"));
  await other.said(1);
  const owner = other.lines[0] ?? "";
  expect(isOwnerDead(owner)).toBe(false);
  other.child.kill("SIGKILL");
  // Without a turn of the event loop the process is not reaped and stays a zombie.
  const deadline = performance.now() + 5_000;
  while (!isOwnerDead(owner) && performance.now() < deadline);
  expect(isOwnerDead(owner)).toBe(true);
  await other.ended;
  expect(isOwnerDead(owner)).toBe(true);
});

test.skipIf(!BOOT)("a process with a reused pid is not the owner", () => {
  expect(isOwnerDead([HOST, PID, Number(START) - 1, BOOT].join(":"))).toBe(true);
});

test.skipIf(!BOOT)("no owner survives a reboot", () => {
  expect(isOwnerDead([HOST, PID, START, `another${BOOT}`].join(":"))).toBe(true);
});

test.skipIf(!BOOT?.includes("/"))("owners in another container are not judged", () => {
  expect(isOwnerDead([HOST, "999999999", START, `${BOOT}1`].join(":"))).toBe(false);
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
    expect(isOwnerDead(owner), owner).toBe(false);
  }
});

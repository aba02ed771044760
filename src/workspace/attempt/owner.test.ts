import { expect, test } from "vitest";
import { listProcessIds } from "../../node/process-identity.ts";
import { createOwnerMark, isInUse, isOwnerGone } from "./owner.ts";

test("this process is not gone, one with its pid and another start time is", () => {
  const mark = createOwnerMark();
  const [word, host, pid, start, boot] = mark.split(" ");
  expect(isOwnerGone(mark)).toBe(false);
  expect(isOwnerGone(`${mark}\n`)).toBe(false);
  expect(isOwnerGone([word, host, pid, `${start}1`, boot].join(" "))).toBe(true);
  expect(isOwnerGone([word, host, pid, start, `1${boot}`].join(" "))).toBe(true);
});

test("another machine, another container or a foreign text is not judged", () => {
  const [word, host, pid, start, boot] = createOwnerMark().split(" ");
  expect(isOwnerGone([word, `${host}-2`, pid, `${start}1`, boot].join(" "))).toBe(false);
  expect(isOwnerGone([word, host, pid, `${start}1`, `${boot}1`].join(" "))).toBe(false);
  for (const text of [
    "",
    "12345",
    "signalbox",
    `other ${host} ${pid} ${start}1 ${boot}`,
    `${word} ${host} -1 x ${boot}`,
  ]) {
    expect(isOwnerGone(text), text).toBe(false);
  }
});

test("a folder is in use while a process works in it or below", () => {
  expect(isInUse(process.cwd(), listProcessIds())).toBe(true);
  expect(isInUse(`${process.cwd()}-beside`, [process.pid])).toBe(false);
  expect(isInUse(`${process.cwd()}/nothing`, [process.pid])).toBe(false);
});

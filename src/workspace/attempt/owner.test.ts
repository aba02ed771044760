import { expect, test } from "vitest";
import { processIds } from "../../node/process-identity.ts";
import { inUse, ownerIsGone, ownerMark } from "./owner.ts";

test("this process is not gone, one with its pid and another start time is", () => {
  const mark = ownerMark();
  const [word, host, pid, start, boot] = mark.split(" ");
  expect(ownerIsGone(mark)).toBe(false);
  expect(ownerIsGone(`${mark}\n`)).toBe(false);
  expect(ownerIsGone([word, host, pid, `${start}1`, boot].join(" "))).toBe(true);
  expect(ownerIsGone([word, host, pid, start, `1${boot}`].join(" "))).toBe(true);
});

test("another machine, another container or a foreign text is not judged", () => {
  const [word, host, pid, start, boot] = ownerMark().split(" ");
  expect(ownerIsGone([word, `${host}-2`, pid, `${start}1`, boot].join(" "))).toBe(false);
  expect(ownerIsGone([word, host, pid, `${start}1`, `${boot}1`].join(" "))).toBe(false);
  for (const text of [
    "",
    "12345",
    "signalbox",
    `other ${host} ${pid} ${start}1 ${boot}`,
    `${word} ${host} -1 x ${boot}`,
  ]) {
    expect(ownerIsGone(text), text).toBe(false);
  }
});

test("a folder is in use while a process works in it or below", () => {
  expect(inUse(process.cwd(), processIds())).toBe(true);
  expect(inUse(`${process.cwd()}-beside`, [process.pid])).toBe(false);
  expect(inUse(`${process.cwd()}/nothing`, [process.pid])).toBe(false);
});

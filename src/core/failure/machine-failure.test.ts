import { expect, test } from "vitest";
import { parseMachineError, toMachineError, toMissingFileError } from "./machine-failure.ts";

const refused = (code: string, path = "/cache/x") =>
  Object.assign(new Error(`${code}: refused, open '${path}'`), { code, path });

test.each([
  ["ENOSPC", "DISK_FAILED", "o space is left on the disk for /cache/x"],
  ["EROFS", "DISK_FAILED", "/cache/x is on a read-only disk"],
  ["EACCES", "DISK_FAILED", "no permission to use /cache/x"],
  ["EFBIG", "DISK_FAILED", "rejected /cache/x"],
  ["EMFILE", "TOO_MANY_FILES", "the limit of open files is reached"],
])("%s is told with the path, as %s, and with what cures it", (code, told, words) => {
  const failure = toMachineError(refused(code));
  expect(failure?.code).toBe(told);
  expect(failure?.message).toContain(words);
  expect(failure?.hint).toContain("signalbox resume");
});

test("an error that is not the machine's is left alone", () => {
  expect(toMachineError(new TypeError("x is undefined"))).toBeUndefined();
  expect(toMachineError(refused("ENOENT"))).toBeUndefined();
  expect(toMissingFileError(refused("ENOENT"))?.message).toContain("/cache/x was removed");
});

test("git's message about a full disk becomes a disk error", () => {
  const said = "error: unable to write file x: No space left on device";
  expect(parseMachineError(said, "/repo")).toMatchObject({
    code: "DISK_FAILED",
    message: expect.stringContaining(said),
  });
  expect(parseMachineError("fatal: bad object", "/repo")).toBeUndefined();
});

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { readReports } from "./read-reports.ts";

let dir: string;
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), text);
};
const read = (since = 0) => {
  const printed = [join(dir, "stdout"), join(dir, "stderr")];
  const redact = (text: string) => text.replaceAll("hunter2", "…");
  return readReports({
    folder: join(dir, "reports"),
    printed,
    top: join(dir, "top"),
    cwd: join(dir, "top"),
    since,
    redact,
  });
};
const report = (...tests: readonly string[]) =>
  ['{"report":1,"runner":"jest","cwd":"/"}', ...tests, '{"finished":true}', ""].join("\n");

beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), "signalbox-reports-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  dir = made;
  for (const name of ["reports", "top"]) mkdirSync(join(dir, name));
  write("stdout", "1..1\nok 1 - printed hunter2\n");
  write("stderr", "");
});

test("output counts only without a report", async () => {
  expect(await read()).toMatchObject({ tests: { source: "tap", names: { "printed …": "passed" } } });
  write("reports/1.jsonl", report(`{"file":"${dir}/top/a.js","path":["asked"],"end":"failed"}`));
  expect(await read()).toMatchObject({ tests: { asked: true, total: 1, names: { "a.js › asked": "failed" } } });
});

test("names that differ only in a secret are still two", async () => {
  const line = (word: string) => `{"file":null,"path":["with ${word}"],"end":"passed"}`;
  write("reports/1.jsonl", report(line("hunter2"), line("…")));
  expect(await read()).toMatchObject({ tests: { names: { "with …": "passed", "with … #2": "passed" } } });
});

test("[A-20] one report that cannot be read makes the others no answer", async () => {
  write("reports/1.jsonl", report());
  write("reports/2.jsonl", '{"report":1,"runner":"jest","cwd":"/"}\n');
  expect(await read()).toEqual({ problem: "jest started a report and did not finish it" });
});

test("[A-20] a report that is too large is said to be", async () => {
  write("reports/1.jsonl", "");
  truncateSync(join(dir, "reports/1.jsonl"), 64 * 1024 * 1024 + 1);
  expect(await read()).toEqual({ problem: "a report has 67108865 bytes; 67108864 are read of all together" });
});

test("a link or a pipe among the reports is not followed", async () => {
  write("secret", report());
  symlinkSync(join(dir, "secret"), join(dir, "reports/1.jsonl"));
  expect(await read()).toEqual({ problem: "a report was begun and cannot be opened" });
  rmSync(join(dir, "reports/1.jsonl"));
  execFileSync("mkfifo", [join(dir, "reports/1.jsonl")]);
  expect(await read()).toEqual({ problem: "an entry in the report folder is not a file" });
});

test("a folder of reports that was removed is a problem", async () => {
  rmSync(join(dir, "reports"), { recursive: true });
  expect(await read()).toEqual({ problem: "the folder that reports are written to was removed" });
});

test("JUnit files that Maven and Gradle left in this run are read, older ones are not", async () => {
  const suite = (name: string) => `<testsuite><testcase classname="A" name="${name}"/></testsuite>`;
  write("top/target/surefire-reports/TEST-a.xml", suite("old"));
  write("top/module/target/surefire-reports/TEST-b.xml", suite("maven"));
  write("top/build/test-results/test/TEST-c.xml", suite("gradle"));
  write("top/other/TEST-d.xml", suite("elsewhere"));
  utimesSync(join(dir, "top/target/surefire-reports/TEST-a.xml"), 1, 1);
  expect(await read(2000)).toMatchObject({ tests: { source: "tap" } });
  write("top/pom.xml", "<project/>");
  const { tests } = await read(2000);
  expect(tests).toEqual({
    ...{ passed: 2, failed: 0, skipped: 0, total: 2, source: "junit" },
    names: { "A › gradle": "passed", "A › maven": "passed" },
  });
});

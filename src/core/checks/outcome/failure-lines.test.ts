import { expect, test } from "vitest";
import { extractFailureLines } from "./failure-lines.ts";

const NPM = `npm warn deprecated glob@7: old
npm http fetch GET https://registry.npmjs.org/ava attempt 1 failed with SELF_SIGNED_CERT_IN_CHAIN
npm error code SELF_SIGNED_CERT_IN_CHAIN
npm error errno SELF_SIGNED_CERT_IN_CHAIN
npm error request to https://registry.npmjs.org/ava failed, reason: self-signed certificate in certificate chain
npm error   errno: 'ECONNREFUSED',
npm error   port: 9,
npm error A complete log of this run can be found in: /home/x/.npm/_logs/1.log
`;

const PIP = `Collecting pytest
  Downloading pytest-8.whl (300 kB)
     ━━━━━━━━━━━━━━━━ 300/300 kB
ERROR: Could not find a version that satisfies the requirement flit_core<4 (from versions: none)
ERROR: No matching distribution found for flit_core<4

[notice] A new release of pip is available: 24.0 -> 25.1
[notice] To update, run: pip install --upgrade pip
`;

test("[A-21] npm's errors are extracted, without its progress and the path of its log", () => {
  expect(extractFailureLines(NPM, 500).split("\n").slice(1)).toEqual([
    "npm error code SELF_SIGNED_CERT_IN_CHAIN",
    "npm error request to https://registry.npmjs.org/ava failed, reason: self-signed certificate in certificate chain",
  ]);
  expect(extractFailureLines(NPM, 500)).not.toContain("complete log");
});

test("[A-21] pip's errors are extracted, without the advice after them", () => {
  expect(extractFailureLines(PIP, 500)).toBe(
    "ERROR: Could not find a version that satisfies the requirement flit_core<4 (from versions: none)\n" +
      "ERROR: No matching distribution found for flit_core<4",
  );
});

test("the last lines are returned if nothing looks like an error", () => {
  expect(extractFailureLines("one\n-----\ntwo\n", 100)).toBe("one\ntwo");
  expect(extractFailureLines("", 100)).toBe("");
});

test("a long text retains its start, which contains the cause", () => {
  const long = extractFailureLines(`npm error code E404\nnpm error ${"x".repeat(600)}\n`, 100);
  expect(long.length).toBeLessThanOrEqual(100);
  expect(long).toMatch(/^npm error code E404\nnpm error x+…$/);
});

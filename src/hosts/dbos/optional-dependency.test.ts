import { expect, test } from "vitest";
import { importPeer } from "./optional-dependency.ts";

test("a package that is not installed is named, with what to install", async () => {
  const absent = "signalbox-has-no-such-package";
  await expect(importPeer(absent, () => import(absent))).rejects.toMatchObject({
    code: "PEER_MISSING",
    message: expect.stringContaining(absent),
    hint: expect.stringContaining("npm install @dbos-inc/dbos-sdk"),
  });
});

test("a package that is there but broken is not called missing", async () => {
  const broken = new TypeError("its own mistake");
  await expect(importPeer("any", () => Promise.reject(broken))).rejects.toBe(broken);
});

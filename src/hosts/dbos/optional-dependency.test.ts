import { expect, test } from "vitest";
import { importPeer } from "./optional-dependency.ts";

test("a missing package is named, with the command that installs it", async () => {
  const absent = "signalbox-has-no-such-package";
  await expect(importPeer(absent, () => import(absent))).rejects.toMatchObject({
    code: "PEER_MISSING",
    message: expect.stringContaining(absent),
    hint: expect.stringContaining("npm install @dbos-inc/dbos-sdk"),
  });
});

test("an installed but broken package is not called missing", async () => {
  const broken = new TypeError("its own mistake");
  await expect(importPeer("any", () => Promise.reject(broken))).rejects.toBe(broken);
});

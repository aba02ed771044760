import { expect, test } from "vitest";
import { isDevelopmentMoved, isProductUnchanged, restoreLock, restoreManifest } from "./development-packages.ts";

const json = JSON.stringify;
const sides = (before: object, after: object) => ({ before: json(before), after: json(after) });
const locked = (packages: object) => ({ lockfileVersion: 3, packages });
const BEFORE = {
  "": { dependencies: { left: "^1" }, devDependencies: { chai: "^5" } },
  "node_modules/left": { version: "1.0.0" },
  "node_modules/chai": { version: "5.0.0", dev: true },
  "node_modules/chai/node_modules/ms": { version: "1.0.0", dev: true },
};

test("[A-38] packages for development are as they were, those of the product and new ones as they are now", () => {
  const lock = sides(
    locked(BEFORE),
    locked({
      "": { dependencies: { left: "^2" }, devDependencies: { chai: "^6", more: "^1" } },
      "node_modules/left": { version: "2.0.0" },
      "node_modules/chai": { version: "6.0.0", dev: true },
      "node_modules/chai/node_modules/new": { version: "1.0.0", dev: true },
      "node_modules/more": { version: "1.0.0", dev: true },
    }),
  );
  expect(JSON.parse(restoreLock(lock) ?? "")).toEqual(
    locked({
      "": { dependencies: { left: "^2" }, devDependencies: { chai: "^5", more: "^1" } },
      "node_modules/left": { version: "2.0.0" },
      "node_modules/chai": { version: "5.0.0", dev: true },
      "node_modules/chai/node_modules/ms": { version: "1.0.0", dev: true },
      "node_modules/more": { version: "1.0.0", dev: true },
    }),
  );
  expect(isDevelopmentMoved(sides(BEFORE[""], BEFORE[""]), lock)).toBe(true);
});

test("[A-38] a manifest asks for packages for development as it did", () => {
  const manifest = sides(BEFORE[""], { dependencies: { left: "^2" }, devDependencies: { chai: "^6", more: "^1" } });
  expect(JSON.parse(restoreManifest(manifest) ?? "")).toEqual({
    dependencies: { left: "^2" },
    devDependencies: { chai: "^5", more: "^1" },
  });
  expect(isDevelopmentMoved(manifest, undefined)).toBe(true);
});

test.each<[what: string, manifest: object, packages: object]>([
  [
    "a package for development that is new",
    { devDependencies: { chai: "^5", more: "^1" } },
    { "node_modules/more": { version: "1.0.0", dev: true } },
  ],
  ["an upgrade of the product's", { dependencies: { left: "^2" } }, { "node_modules/left": { version: "2.0.0" } }],
  ["one that the product needs as well now", {}, { "node_modules/chai": { version: "6.0.0" } }],
])("%s moves none", (_what, manifest, packages) => {
  const after = locked({ ...BEFORE, ...packages, "": { ...BEFORE[""], ...manifest } });
  expect(isDevelopmentMoved(sides(BEFORE[""], { ...BEFORE[""], ...manifest }), sides(locked(BEFORE), after))).toBe(
    false,
  );
});

test("the product's own keys decide whether its requirements changed", () => {
  expect(isProductUnchanged(sides(BEFORE[""], { ...BEFORE[""], devDependencies: { chai: "^6" } }))).toBe(true);
  expect(isProductUnchanged(sides(BEFORE[""], { ...BEFORE[""], dependencies: { left: "^2" } }))).toBe(false);
});

test("build tools of the product do not count as moved", () => {
  const [before, after] = [{ devDependencies: { typescript: "^5" } }, { devDependencies: { typescript: "^6" } }];
  expect(isDevelopmentMoved(sides(before, after), undefined)).toBe(false);
  expect(isProductUnchanged(sides(before, after))).toBe(false);
  const manifest = sides(
    { devDependencies: { typescript: "^5", chai: "^5" } },
    { devDependencies: { typescript: "^6", chai: "^6" } },
  );
  expect(JSON.parse(restoreManifest(manifest) ?? "")).toEqual({ devDependencies: { typescript: "^6", chai: "^5" } });
});

test("a lock of another form is left alone", () => {
  expect(restoreLock({ before: "packages:\n", after: "packages:\n" })).toBeUndefined();
  expect(restoreLock(sides({ lockfileVersion: 1, dependencies: {} }, locked(BEFORE)))).toBeUndefined();
});

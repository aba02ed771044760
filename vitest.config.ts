import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// For every process that a test starts: a source file is stripped of its types and compiled once, not at every start.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/signalbox", import.meta.url));

/** These change nothing outside themselves, so that many files can share one loaded copy of the sources. */
const PURE = [
  "src/core/**/*.test.ts",
  "src/engine/{drive,replay,verbs}/**/*.test.ts",
  "src/pipelines/**/*.test.ts",
  "src/views/**/*.test.ts",
  "test/{clusters,ledger,phases,roadmap,ticket}/!(real|scenarios).test.ts",
];
/** More than 7 CPU seconds each. `npm test` leaves them out. */
const LONG = "{src,test}/**/*.long.test.ts";

export default defineConfig({
  test: {
    // Most of what is tested waits for processes and disks: three files at a time, also on a machine with two cores.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["test/cost/meter.ts"],
    projects: [
      { extends: true, test: { name: "pure", include: PURE, exclude: [LONG], isolate: false } },
      { extends: true, test: { name: "real", include: ["{src,test}/**/*.test.ts"], exclude: [...PURE, LONG] } },
      { extends: true, test: { name: "long", include: [LONG] } },
    ],
  },
});

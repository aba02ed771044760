import { defineConfig } from "vitest/config";

/** These change nothing outside themselves, so that many files can share one loaded copy of the sources. */
const PURE = [
  "src/core/**/*.test.ts",
  "src/pipelines/**/*.test.ts",
  "test/{clusters,ledger,phases,roadmap,ticket}/!(real|scenarios).test.ts",
];

export default defineConfig({
  test: {
    // Most of what is tested waits for processes and disks: three files at a time, also on a machine with two cores.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      { extends: true, test: { name: "real", include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: PURE } },
    ],
  },
});

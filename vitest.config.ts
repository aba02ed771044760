import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// For every process that a test starts: a source file is stripped of its types and compiled once, not at every start.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/signalbox", import.meta.url));

/** Files that change nothing outside themselves and start few processes. They share one loaded copy of the sources. */
const SHARED = [
  "src/{core,pipelines,views,node,cli}/**/*.test.ts",
  "src/engine/*.test.ts",
  "src/engine/{drive,replay,verbs}/**/*.test.ts",
  "src/hosts/memory/*.test.ts",
  "src/surfaces/!(ask)/**/*.test.ts",
  "test/{clusters,ledger,phases,roadmap,ticket,task,views,fuzz,prompts,histories,model,conformance,truth}/*.test.ts",
];
/** Files that cost more than 7 CPU seconds. `npm test` omits them, and `npm run test:long` runs them. */
const LONG = "{src,test}/**/*.long.test.ts";

export default defineConfig({
  test: {
    // Most tests wait for processes and disks: three files at a time, also on a machine with two cores.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Conditions are waited for, however busy the machine is.
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ["test/cost/meter.ts"],
    projects: [
      { extends: true, test: { name: "shared", include: SHARED, exclude: [LONG], isolate: false } },
      { extends: true, test: { name: "isolated", include: ["{src,test}/**/*.test.ts"], exclude: [...SHARED, LONG] } },
      { extends: true, test: { name: "long", include: [LONG] } },
    ],
  },
});

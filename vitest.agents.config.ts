import { defineConfig } from "vitest/config";

/** Every driver with the real program behind it; the programs are installed into a cache outside the repository. */
export default defineConfig({
  test: {
    include: ["test/agents/*.test.ts", "test/agents/*.real.ts", "test/model/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 240_000,
  },
});

import type { RealWorld } from "./world.ts";

/** Two tasks in one wave, three reviewers before and after, one commit. */
export const world: RealWorld = {
  pipeline: "ledger",
  args: ["Greet people"],
  files: { "README.md": "# Greeting\n", "src/old.js": "export const old = 1;\n" },
  config: "commands:\n  build: test -f README.md\n  test: test -d src\n",
  agents: [
    {
      role: "planner",
      output: {
        tasks: [
          { id: "greet", files: ["src/greet.js"] },
          { id: "wave", files: ["src/wave.js"] },
        ],
      },
    },
    {
      role: "implementer",
      do: [{ run: 'mkdir -p src; echo "export const it = 1;" > src/$SIGNALBOX_TASK.js' }],
      output: { status: "DONE" },
    },
    {
      role: "reviewer",
      output: { verdicts: { security: "approve", architecture: "approve", correctness: "approve" } },
    },
    { role: "*", output: { status: "DONE" } },
  ],
  ends: { status: "done", exit: 0, commits: 1 },
  keeps: ["src/old.js", "src/greet.js", "src/wave.js"],
};

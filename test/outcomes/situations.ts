import {
  CODE,
  DOUBLES,
  HALVES,
  project,
  ROUNDING,
  SOURCE,
  SQUARES,
  TESTS,
  THRICE,
  TREBLES,
  testFile,
} from "./project.ts";
import type { Situation } from "./situation.ts";

const TEST = `node ${TESTS}`;
const FEATURE = { change: { [SOURCE]: THRICE }, tests: { [TESTS]: testFile(DOUBLES, HALVES, TREBLES) } };
const OTHERWISE = {
  change: { [SOURCE]: CODE.replace("cents * 2", "cents ** 2") },
  tests: { [TESTS]: testFile(SQUARES, HALVES) },
};

/** Fails on the new tree the first time, and passes the second time. */
const WAVERS = `if grep -q thrice ${SOURCE}; then n=$(cat COUNTER 2>/dev/null || echo 0); echo $((n + 1)) > COUNTER; [ $((n % 2)) = 1 ]; fi`;

/** All ways in which a command can start to fail, each with its own command. */
export const turnedBad: Situation = {
  files: {
    "tests/few.test.js": testFile(HALVES),
    ...project({
      commands: {
        build: "true",
        exits: "grep -q fine state.txt",
        forged: `${TEST} || true`,
        swapped: `node ${ROUNDING}`,
        gone: "sh check.sh",
        counts: TEST.replace("price", "few"),
      },
    }),
  },
  work: {
    change: {
      "state.txt": "broken\n",
      "check.sh": "exec not-there-at-all\n",
      [SOURCE]: CODE.replace("cents * 2", "cents * 3").replace("cents / 2", "Math.floor(cents / 2)"),
    },
    tests: { "tests/few.test.js": "// It is tested elsewhere.\n" },
  },
};

export const undecided: Situation = {
  files: project({ commands: { build: "true", test: TEST, unnamed: "exit 1", wavers: WAVERS } }),
  work: FEATURE,
};

export const idle: Situation = { files: project({ commands: { build: "true", test: TEST } }), work: { change: {} } };

export const rewritten: Situation = { files: project({ commands: { build: "true", test: TEST } }), work: OTHERWISE };

export const announced: Situation = {
  files: project({ commands: { build: "true", test: TEST, rounding: `node ${ROUNDING}` } }),
  work: OTHERWISE,
  answers: true,
  announces: [{ was: "twice doubles", becomes: "twice squares", tests: [`${TESTS} › twice doubles`] }],
};

export const missing: Situation = {
  files: project({ commands: { build: "true", test: "not-there-at-all" } }),
  work: FEATURE,
};

export const bare: Situation = { files: project({ commands: {} }), work: FEATURE };
export const bareAsked: Situation = { ...bare, approvals: "interactive" };
export const exempt: Situation = {
  files: project({ commands: {}, "no-checks": "only prose here" }),
  work: FEATURE,
};

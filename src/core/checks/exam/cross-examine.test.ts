import { expect, test } from "vitest";
import type { TestNames } from "../reports/test-report.ts";
import { compareExamRuns, type ExamRun, type ExamRuns, WHOLE_COMMAND } from "./cross-examine.ts";
import { createExamFindings, createInseparableFindings } from "./exam-findings.ts";
import { isAnnouncedTest } from "./test-name.ts";

function run(names: TestNames): ExamRun {
  return { exitCode: Object.values(names).includes("failed") ? 1 : 0, names, ran: true };
}
const [pass, fail, skip] = ["passed", "failed", "skipped"] as const;
const A = "a.test.js › adds";
const B = "a.test.js › subtracts";

function examined(runs: Partial<ExamRuns>) {
  const old = [run({ [A]: pass, [B]: pass })];
  return compareExamRuns({ old, oldOnNew: old, new: run({ [A]: pass, [B]: pass }), announced: [], ...runs });
}

test("[A-26] all old tests that pass on the new code are a clean verdict, and no finding", () => {
  const clean = examined({});
  expect(clean).toMatchObject({ verdict: "clean", named: { announced: [], unannounced: [] } });
  expect(createExamFindings(clean)).toEqual([]);
});

test.each([
  ["fails", { [A]: pass, [B]: fail }],
  ["is skipped", { [A]: pass, [B]: skip }],
  ["cannot be collected", { [A]: pass }],
] as const)("[A-26] an old test that %s on the new code is named, whatever its new form does", (_how, names) => {
  const result = examined({ oldOnNew: [run(names), run(names)] });
  expect(result).toMatchObject({ verdict: "named", named: { announced: [], unannounced: [B] } });
  expect(createExamFindings(result)).toMatchObject([{ severity: "critical", files: ["a.test.js"], by: "exam" }]);
});

test("[A-26] a test that fails once and passes once on one tree is flaky and not named", () => {
  const [good, bad] = [run({ [A]: pass, [B]: pass }), run({ [A]: pass, [B]: fail })];
  expect(examined({ oldOnNew: [bad, good] })).toMatchObject({ verdict: "clean", flaky: [B] });
  const before = examined({ old: [good, bad], oldOnNew: [bad, bad] });
  expect(before).toMatchObject({ verdict: "clean", flaky: [], unsteady: [B] });
});

test("[A-26] an exam that falls apart on the new code names every test that passed", () => {
  const broken: ExamRun = { exitCode: 1, ran: true };
  expect(examined({ oldOnNew: [broken, broken] }).named.unannounced).toEqual([A, B]);
});

test.each<[string, Partial<ExamRuns>]>([
  ["the old exam did not run on the old code", { old: [{ exitCode: 127, ran: false }] }],
  ["the old exam did not run on the new code", { oldOnNew: [{ exitCode: 127, ran: false }] }],
  ["the old exam did not run on the new code", { oldOnNew: [] }],
  ["the new exam did not run on the new code", { new: { exitCode: null, ran: false } }],
  [
    "no test passed on the old code, and no old test passes on the new code",
    { old: [run({ [A]: fail })], oldOnNew: [run({ [A]: fail })], new: run({ [A]: fail }) },
  ],
  [
    "the old exam was red on the old code and names no tests",
    { old: [{ exitCode: 1, ran: true }], oldOnNew: [{ exitCode: 1, ran: true }], new: { exitCode: 1, ran: true } },
  ],
  [
    "the old exam names no tests on the new code, though it does on the old",
    { oldOnNew: [{ exitCode: 0, ran: true }] },
  ],
  ["the new exam names no tests, though the old one does", { new: { exitCode: 0, ran: true } }],
])("[A-26] no verdict is never passed: %s", (because, runs) => {
  const result = examined(runs);
  expect(result).toMatchObject({ verdict: "none", because });
  expect(createExamFindings(result)).toMatchObject([
    { severity: "critical", message: expect.stringContaining(because) },
  ]);
});

test("[A-26] a command without names is one test", () => {
  const [green, red]: ExamRun[] = [
    { exitCode: 0, ran: true },
    { exitCode: 1, ran: true },
  ];
  if (!green || !red) throw new Error("two runs");
  expect(examined({ old: [green], oldOnNew: [green], new: green }).verdict).toBe("clean");
  const broken = examined({ old: [green], oldOnNew: [red, red], new: green, newOnOld: [red] });
  expect(broken).toMatchObject({ verdict: "named", named: { unannounced: [WHOLE_COMMAND] }, red: [WHOLE_COMMAND] });
});

test("[A-28] a command without test names reports no needless announcement", () => {
  const [green, red] = [0, 1].map((exitCode): ExamRun => ({ exitCode, ran: true }));
  if (!green || !red) throw new Error("two runs");
  const announced = [{ was: "minus", becomes: "plus", tests: ["subtracts"] }];
  const broken = examined({ old: [green], oldOnNew: [red, red], new: green, newOnOld: [red], announced });
  expect(createExamFindings(broken)).toMatchObject([{ message: expect.stringContaining("names no tests") }]);
});

test.each(["a.test.js › subtracts", "a.test.js › *", "a.test.js", "*subtr*", "a.*.js › sub*s"])(
  "[A-28] an announcement by %s covers the test that fails",
  (said) => {
    const announced = [{ was: "minus", becomes: "plus", tests: [said] }];
    const result = examined({ oldOnNew: [run({ [A]: pass, [B]: fail })], announced });
    expect(result).toMatchObject({ verdict: "clean", named: { announced: [B], unannounced: [] }, needless: [] });
  },
);

test("[A-28] an announcement that no failing test needs is a finding, with the tests it names in vain", () => {
  const announced = [{ was: "minus", becomes: "plus", tests: [A, B, "a.test.js › sub*x"] }];
  const result = examined({ oldOnNew: [run({ [A]: pass, [B]: fail })], announced });
  expect(result.needless).toEqual([{ was: "minus", becomes: "plus", tests: [A, "a.test.js › sub*x"] }]);
  expect(createExamFindings(result)).toMatchObject([
    { severity: "minor", message: expect.stringContaining("as the approved plan announced") },
    { severity: "minor", message: expect.stringContaining("was announced, but no failing test needs it") },
  ]);
});

test("[A-28] a test that fails as announced is reported with the source of the announcement", () => {
  const announced = [{ was: "minus", becomes: "plus", tests: [B], from: "item 3 of the roadmap" }];
  const [finding] = createExamFindings(examined({ oldOnNew: [run({ [A]: pass, [B]: fail })], announced }));
  expect(finding?.message).toContain('as item 3 of the roadmap announced ("minus" becomes "plus")');
});

test("[A-28] an announcement of the first of two equal names covers the second too, and no longer name", () => {
  const announced = [{ was: "x", becomes: "y", tests: [A] }];
  const [second, longer] = [`${A} #2`, `${A} numbers`];
  const old = [run({ [A]: pass, [second]: pass, [longer]: pass })];
  const result = examined({ old, oldOnNew: [run({ [A]: fail, [second]: fail, [longer]: fail })], announced });
  expect(result.named).toEqual({ announced: [A, second], unannounced: [longer] });
});

test("[A-27] a test that failed on the new code and passes on both now was loosened, even if announced", () => {
  const announced = [{ was: "minus", becomes: "plus", tests: [B] }];
  const both = run({ [A]: pass, [B]: pass });
  const result = examined({ oldOnNew: [run({ [A]: pass, [B]: fail })], newOnOld: [both], announced });
  expect(result.loosened).toEqual([B]);
  expect(createExamFindings(result)).toMatchObject([{ severity: "minor" }, { severity: "major" }]);
});

test("[A-27] a test that asserts the new behaviour instead of the old is not loosened, and is red on the old code", () => {
  const result = examined({
    oldOnNew: [run({ [A]: pass, [B]: fail })],
    newOnOld: [run({ [A]: pass, [B]: fail })],
  });
  expect(result).toMatchObject({ loosened: [], red: [B], redByAbsence: [] });
});

test("[A-27] tests are red that fail or are missing on the old code, or were red and pass now", () => {
  const [added, green, skipped] = ["b.test.js › new", "b.test.js › green", "b.test.js › left out"];
  const result = examined({
    old: [run({ [A]: pass, [B]: fail })],
    oldOnNew: [run({ [A]: pass, [B]: pass })],
    new: run({ [A]: pass, [B]: pass, [added]: pass, [green]: pass, [skipped]: skip }),
    newOnOld: [run({ [A]: pass, [B]: fail, [green]: pass })],
  });
  expect(result).toMatchObject({ verdict: "clean", red: [B, added], redByAbsence: [added], addedGreen: [green] });
});

test("[A-27] a new exam that could not run on the old code shows nothing", () => {
  const result = examined({ newOnOld: [{ exitCode: 127, ran: false }] });
  expect(result).toMatchObject({ red: [], addedGreen: [], loosened: [] });
});

test("a removed or newly skipped test that still passes is dropped; one in a renamed file is not", () => {
  const kept = "renamed.test.js › adds";
  expect(examined({ new: run({ [kept]: pass }) })).toMatchObject({ dropped: [B], addedGreen: [] });
  const skipped = examined({ new: run({ [A]: pass, [B]: skip }) });
  expect(skipped.dropped).toEqual([B]);
  expect(createExamFindings(skipped)).toMatchObject([{ severity: "minor" }]);
});

test("a test whose file was renamed is still known when it was loosened", () => {
  const moved = "renamed.test.js › subtracts";
  const both = run({ [A]: pass, [moved]: pass });
  expect(examined({ oldOnNew: [run({ [A]: pass, [B]: fail })], new: both, newOnOld: [both] }).loosened).toEqual([B]);
});

test("many tests of one file are one finding with a count and three names", () => {
  const names = Array.from({ length: 16 }, (_, at) => `c.test.js › case ${at}`);
  const all = (end: "passed" | "failed") => run(Object.fromEntries([...names, A].map((name) => [name, end])));
  const [first, second, ...more] = createExamFindings(examined({ old: [all(pass)], oldOnNew: [all(fail)] }));
  expect(first?.message).toMatch(/^c\.test\.js: 16 tests.*"case 0", "case 1", "case 2" and 13 more\.$/);
  expect(second?.message).toContain("a.test.js: a test");
  expect(more).toEqual([]);
});

test("a file that cannot be separated is a finding", () => {
  expect(createInseparableFindings(["pom.xml"])).toMatchObject([{ severity: "major", files: ["pom.xml"], by: "exam" }]);
});

test.each([
  ["t.js › slug › keeps dashes", true],
  ["t.js › keeps dashes", true],
  ["slug › keeps dashes", true],
  ["keeps dashes", true],
  ["t.js › *dashes", true],
  ["t.js", true],
  ["u.js › keeps dashes", false],
  ["t.js › dashes", false],
  ["dashes", false],
])("[A-28] the announcement of %j speaks of that test: %s", (said, speaks) => {
  expect(isAnnouncedTest(said, "t.js › slug › keeps dashes")).toBe(speaks);
});

test("[A-26] no test can be lost if there was none before", () => {
  const none = { exitCode: 0, names: {}, ran: true };
  const first = { exitCode: 0, names: { "t.js › works": "passed" as const }, ran: true };
  expect(compareExamRuns({ old: [none], oldOnNew: [none], new: first, announced: [] }).verdict).toBe("clean");
});

test("[A-26] a red run without failed names gives no verdict, also if a test was flaky on the old code", () => {
  const [good, flaky] = [run({ [A]: pass, [B]: pass }), run({ [A]: pass, [B]: fail })];
  const typesFail: ExamRun = { ...good, exitCode: 1 };
  const unaccounted = examined({ old: [good, flaky], oldOnNew: [typesFail] });
  expect(unaccounted).toMatchObject({ verdict: "none", because: expect.stringContaining("none of the tests") });
  expect(examined({ old: [typesFail, flaky], oldOnNew: [typesFail] })).toMatchObject({ verdict: "clean" });
});

const C = "a.test.js › rounds";
const WEAKENED = [
  ["passes", run({ [A]: pass, [C]: pass })],
  ["is skipped", run({ [A]: pass, [C]: skip })],
  ["is gone", run({ [A]: pass })],
] as const;

test.each(WEAKENED)(
  "[A-36] a test that failed on the old code and %s only in its new form is named, and no evidence",
  (_how, now) => {
    const before = run({ [A]: pass, [C]: fail });
    const result = examined({ old: [before], oldOnNew: [before, before], new: now, newOnOld: [now] });
    expect(result).toMatchObject({ verdict: "named", named: { unannounced: [C] }, edited: [C], red: [] });
    const [finding] = createExamFindings(result);
    expect(finding).toMatchObject({ severity: "critical", files: ["a.test.js"] });
    expect(finding?.message).toContain("stopped failing only because it was changed");
  },
);

test("[A-36] such a test is no evidence either if its new form is red on the old code", () => {
  const before = run({ [A]: pass, [C]: fail });
  const now = run({ [A]: pass, [C]: pass });
  expect(examined({ old: [before], oldOnNew: [before], new: now, newOnOld: [before] })).toMatchObject({
    verdict: "named",
    red: [],
  });
});

test("[A-36] an announcement can cover a test that failed on the old code", () => {
  const before = run({ [A]: pass, [C]: fail });
  const announced = [{ was: "rounds up", becomes: "rounds down", tests: [C] }];
  const now = run({ [A]: pass, [C]: pass });
  const result = examined({ old: [before], oldOnNew: [before], new: now, announced });
  expect(result).toMatchObject({ verdict: "clean", named: { announced: [C], unannounced: [] }, needless: [] });
  expect(createExamFindings(result)).toMatchObject([
    { severity: "minor", message: expect.stringContaining('"rounds up"') },
  ]);
});

test("[A-36] a test that was red and passes in its old form is evidence, also if no test passed on the old code", () => {
  const fixed = examined({ old: [run({ [C]: fail })], oldOnNew: [run({ [C]: pass })], new: run({ [C]: pass }) });
  expect(fixed).toMatchObject({ verdict: "clean", named: { unannounced: [] }, red: [C] });
  const edited = examined({ old: [run({ [C]: fail })], oldOnNew: [run({ [C]: fail })], new: run({ [C]: pass }) });
  expect(edited).toMatchObject({ verdict: "named", edited: [C], red: [] });
});

test("[A-36] a test that still fails in its new form is not named", () => {
  const before = run({ [A]: pass, [C]: fail });
  expect(examined({ old: [before], oldOnNew: [before], new: before })).toMatchObject({ verdict: "clean", edited: [] });
});

test("[A-36] a red test that passes once on either side is not named, and no evidence", () => {
  const [red, green] = [run({ [A]: pass, [C]: fail }), run({ [A]: pass, [C]: pass })];
  for (const sat of [
    { old: [red, green], oldOnNew: [red, red] },
    { old: [red], oldOnNew: [red, green] },
  ])
    expect(examined({ ...sat, new: green })).toMatchObject({ verdict: "clean", edited: [], red: [] });
  expect(examined({ old: [red], oldOnNew: [green], new: green, newOnOld: [green] }).red).toEqual([]);
});

test("[A-36] a new test that fails on the old code only once is no evidence", () => {
  const added = "b.test.js › new";
  const now = run({ [A]: pass, [B]: pass, [added]: pass });
  const red = run({ [A]: pass, [B]: pass, [added]: fail });
  expect(examined({ new: now, newOnOld: [red, now] }).red).toEqual([]);
  expect(examined({ new: now, newOnOld: [red, red] }).red).toEqual([added]);
});

test("[A-36] a file that could not be collected, or a hook that failed, may be gone on the new code", () => {
  const outside = [
    "b.test.js (cannot be collected)",
    "b.test.js › (outside tests)",
    'b.test.js › "after all" hook for x',
  ];
  for (const name of outside) {
    const fixed = run({ [A]: pass, "b.test.js › works": pass });
    expect(examined({ old: [run({ [A]: pass, [name]: fail })], oldOnNew: [fixed], new: fixed }).verdict).toBe("clean");
    const before = run({ [A]: pass, [name]: fail });
    expect(examined({ old: [before], oldOnNew: [before], new: fixed }).edited).toEqual([name]);
  }
});

test("[A-36] a red test that cannot be collected with the new code is named; one with another title each time is not", () => {
  const before = run({ [A]: pass, [C]: fail });
  const gone = run({ "a.test.js (cannot be collected)": fail });
  expect(examined({ old: [before], oldOnNew: [gone], new: run({ [A]: pass }) }).edited).toEqual([C]);
  const titled = (time: number, end: "passed" | "failed") => run({ [A]: pass, [`a.test.js › at ${time}`]: end });
  const later = { oldOnNew: [titled(2, pass)], new: titled(3, pass) };
  expect(examined({ old: [titled(1, fail)], ...later })).toMatchObject({ verdict: "clean", edited: [] });
});

test("[A-36] a red command without names is evidence if the old tests pass on the new code, and named if only the new ones do", () => {
  const [green, red] = [0, 1].map((exitCode): ExamRun => ({ exitCode, ran: true }));
  if (!green || !red) throw new Error("two runs");
  expect(examined({ old: [red], oldOnNew: [green], new: green })).toMatchObject({
    verdict: "clean",
    red: [WHOLE_COMMAND],
  });
  const edited = examined({ old: [red], oldOnNew: [red, red], new: green });
  expect(edited).toMatchObject({ verdict: "named", edited: [WHOLE_COMMAND], red: [] });
  expect(createExamFindings(edited)).toMatchObject([
    { message: expect.stringContaining("only the changed tests pass") },
  ]);
  expect(examined({ old: [red, green], oldOnNew: [green], new: green }).verdict).toBe("none");
});

test("[A-36] where the exam is as it was, a new test shows something only if its file could not be collected before", () => {
  const added = "b.test.js › works";
  const [before, now] = [
    run({ [A]: pass, "b.test.js (cannot be collected)": fail }),
    run({ [A]: pass, [added]: pass }),
  ];
  expect(compareExamRuns({ old: [before], oldOnNew: [now], new: now, announced: [], unchanged: true }).red).toEqual([
    added,
  ]);
  const inline = { old: [run({ [A]: pass })], oldOnNew: [now], new: now, announced: [], unchanged: true };
  expect(compareExamRuns(inline).red).toEqual([]);
});

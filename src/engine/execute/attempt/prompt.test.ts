import { expect, test } from "vitest";
import { z } from "zod";
import { defineRole } from "../../../core/authoring/role.ts";
import type { AttemptRequest } from "../../../core/journal/effect.ts";
import type { Definition } from "../../../core/ports/definitions.ts";
import type { Driver } from "../../../core/ports/driver.ts";
import { formatPrompt } from "./prompt.ts";

const contract = z.object({ summary: z.string() });
const writer = defineRole({ name: "writer", does: "writes", contract, writes: true });
const reader = defineRole({ name: "reader", does: "reads", contract });

const REQUEST: AttemptRequest = {
  pipeline: "p",
  phase: "1",
  role: "writer",
  instance: "",
  task: "",
  round: 1,
  attempt: 1,
  input: {},
  nonce: "n0",
  tree: "t1",
  rendered: [],
};

// Nothing of a driver is asked for but whether who works is no child of the engine.
const played = (driver: Partial<Driver>): Definition => ({ prompt: "Do it.", driver: driver as Driver, from: "here" });

type More = Partial<Parameters<typeof formatPrompt>[0]> & { readonly asked?: Partial<AttemptRequest> };

function prompt({ asked = {}, ...more }: More = {}): string {
  return formatPrompt({
    definition: played({}),
    role: writer,
    dialect: "json",
    request: { ...REQUEST, ...asked },
    ...more,
  });
}

test("a form is announced once, at the end", () => {
  const text = prompt();
  expect(text.match(/End your final message/g)).toHaveLength(1);
  expect(text.indexOf("# Your answer")).toBe(text.lastIndexOf("\n# ") + 1);
});

test("a long text or list of the input stands there once, and failed attempts not at all", () => {
  const scope = "What is asked for, at length. ".repeat(10).trim();
  const findings = Array.from({ length: 8 }, (_, at) => ({ message: `what is wrong, number ${at}` }));
  const retried = [{ class: "contract", code: "no_contract", message: "refused", last: "MY OLD ANSWER" }];
  const text = prompt({ asked: { input: { scope, query: { scope }, design: { findings, retried }, findings } } });
  expect(text.split(scope)).toHaveLength(2);
  expect(text).toContain("scope: (the same as scope above)");
  expect(text).toContain("findings: (the same as design.findings above)");
  expect(text).not.toContain("retried");
  expect(text).not.toContain("MY OLD ANSWER");
});

test("an agent with a definition of the repository gets the whole input and the unchanged definition", () => {
  const role = { ...writer, untold: ["trace_id"], protocol: "`mode: b`: for others.\n\nFor all." };
  const asked = { input: { trace_id: "7", mode: "a" } };
  const own = { ...played({}), prompt: "`mode: b`: its own words." };
  const text = prompt({ role, asked, definition: own });
  expect(text).toContain("trace_id");
  expect(text).toContain("its own words");
  expect(text).not.toContain("for others");
  const built = prompt({ role, asked, definition: { ...own, from: "built in" } });
  expect(built).not.toContain("trace_id");
  expect(built).not.toContain("its own words");
  expect(built).toContain("For all.");
});

test("a part of the input that was laid into the folder is named, and one that was not stands there", () => {
  const input = { spec: "what must be true afterwards", diff: "+ a line" };
  const laid = { paths: [], logs: [], input: [{ part: "spec", path: ".signalbox/input/spec.txt" }] };
  const text = prompt({ asked: { input }, laid });
  expect(text).toContain("read them first.\n\n```yaml\nspec: in .signalbox/input/spec.txt\ndiff: + a line\n```");
  expect(text).not.toContain("afterwards");
  expect(prompt({ asked: { input } })).toContain("spec: what must be true afterwards");
});

test("ports and a name are promised only where the environment has them, and to whom it is sent it is said where", () => {
  expect(prompt()).not.toContain("SIGNALBOX");
  const named = prompt({ variables: { SIGNALBOX_NAME: "sb_1" } });
  expect(named).toContain("name databases and containers $SIGNALBOX_NAME.");
  expect(named).not.toContain("SIGNALBOX_PORT_BASE");
  const variables = { SIGNALBOX_NAME: "sb_1", SIGNALBOX_PORT_BASE: "20000" };
  expect(prompt({ variables })).not.toContain("`environment`");
  const mailbox = played({ outlives: async () => true });
  expect(prompt({ variables, definition: mailbox })).toContain("The values are in `environment` of this dispatch.");
});

test("a role that writes only documents, or nothing, is not told of ports", () => {
  const variables = { SIGNALBOX_NAME: "sb_1", SIGNALBOX_PORT_BASE: "20000" };
  expect(prompt({ variables, asked: { writes: ["src/a.ts"] } })).toContain("SIGNALBOX_PORT_BASE");
  expect(prompt({ variables, asked: { writes: ["plans/a.md"] } })).not.toContain("SIGNALBOX");
  expect(prompt({ variables, role: { ...writer, documents: true } })).not.toContain("SIGNALBOX");
  expect(prompt({ variables, role: reader })).not.toContain("SIGNALBOX");
});

test("the base is named where the tree differs from it, documents and dropped files where there are any", () => {
  expect(prompt({ asked: { base: "t1" } })).not.toContain("git diff base");
  expect(prompt({ asked: { base: "t0", unchanged: true } })).not.toContain("git diff base");
  const dropped = [{ by: "writer", paths: ["a.md"], writes: ["src/**"] }];
  const text = prompt({ asked: { base: "t0", rendered: [{ path: "docs/plan.md", text: "" }], dropped }, role: reader });
  expect(text).toContain("`git diff base` shows it");
  expect(text).toContain("Documents of this run, to read: `docs/plan.md`.");
  expect(text).toContain("Not taken of what writer changed before: a.md (it may only change src/**).");
});

const CHECK = { name: "test", run: "npm test" };

test.each([
  ["passed before the work (12 tests)", { outcome: "passed", tests: "12 tests" }],
  [
    "was red before the work (10 of 12 tests pass; failing: `a`; `b`)",
    { outcome: "failed", tests: "10 of 12 tests", failing: ["a", "b"] },
  ],
  [
    "could not be run before the work (its program was not found)",
    { outcome: "not-run", because: "its program was not found" },
  ],
  ["failing: `1`; `2`; `3`; `4`; `5` and 2 more)", { outcome: "failed", failing: ["1", "2", "3", "4", "5", "6", "7"] }],
] as const)("a check that %s is told so", (words, before) => {
  expect(prompt({ asked: { checks: [{ ...CHECK, before }] } })).toContain(words);
});

test("a check that could not run on the tree is never called green", () => {
  const now = { outcome: "not-run", because: "its program was not found" } as const;
  const text = prompt({ role: reader, asked: { checks: [{ ...CHECK, before: { outcome: "passed" }, now }] } });
  expect(text).toContain("on this tree it could not be run (its program was not found)");
});

test("the prompt says whether the set-up is installed or must run, and that a project has no commands", () => {
  const setup = { run: "npm ci", from: "t0" };
  const checks = [CHECK];
  expect(prompt({ asked: { checks, setup } })).toContain("run it first; nothing is installed in your folder");
  const laid = {
    paths: ["node_modules", ".signalbox/checks"],
    setup: "exact",
    logs: [".signalbox/checks/test.log"],
  } as const;
  const ready = prompt({ asked: { checks, setup }, laid });
  expect(ready).toContain("`npm ci` has been run for you: node_modules is installed as your own copy");
  expect(ready).toContain("Output of failed checks: `.signalbox/checks/test.log`.");
  expect(prompt({ asked: { checks: [] } })).toContain("No command is configured for this project");
  expect(prompt()).not.toContain("# The checks");
});

test("a read-only agent is told whether it can repeat the checks of its tree", () => {
  const asked = { checks: [{ ...CHECK, now: { outcome: "passed" } as const }], setup: { run: "npm ci", from: "t0" } };
  const laid = { paths: ["node_modules"], setup: "base", logs: [] } as const;
  expect(prompt({ role: reader, asked, laid })).toContain("`npm ci` has been run for you: node_modules is there.");
  expect(prompt({ role: reader, asked })).toContain(
    "The results are from another folder: `npm ci` has not been run in yours.",
  );
  expect(prompt({ role: reader, asked: { ...asked, checks: [CHECK] }, laid })).not.toContain("npm ci");
});

test("an agent that may write single files gets their names, without exceptions from patterns", () => {
  const told = (...writes: readonly string[]) => prompt({ asked: { writes } });
  expect(told("readme.md", "test.js", "!prompts/**")).toContain("Only these paths are kept: readme.md, test.js.");
  expect(told("docs/**", "!docs/own.md")).toContain("are kept: docs/**, !docs/own.md.");
});

test("paths that are kept and required are named once", () => {
  const all = prompt({ asked: { writes: ["a.md", "b.md"], delivers: ["a.md", "b.md"] } });
  expect(all).toContain("Only these paths are kept, and must exist at the end: a.md, b.md.");
  const one = prompt({ asked: { writes: ["a.md", "b.md"], delivers: ["a.md"] } });
  expect(one).toContain("are kept: a.md, b.md. These files must exist at the end: a.md.");
  const free = prompt({ asked: { delivers: ["a.md"] } });
  expect(free).toContain("are not kept. These files must exist at the end: a.md.");
});

test("what an earlier run was refused for stands before the answer, with the words of the check", () => {
  const refused = [{ severity: "major" as const, message: "test fails", output: "3 !== 4", tests: ["t.js › adds"] }];
  const text = prompt({ asked: { refused } });
  expect(text).toContain("# Refused before");
  expect(text).toContain("output: 3 !== 4");
  expect(text.indexOf("# Refused before")).toBeLessThan(text.indexOf("# Your answer"));
  expect(prompt()).not.toContain("# Refused before");
});

test("[A-35] what people refused stands in a section of its own, with who said it and whether it is the work at hand", () => {
  const refusals = [
    { by: "ada", note: "Keep the symbol test.", tree: "t0" },
    { by: "eve", note: "Less of it.", tree: "t1" },
  ];
  const [, section = ""] = prompt({ role: reader, asked: { refusals } }).split("# Refused by people");
  expect(section).toContain(
    "- by: ada\n  said: Keep the symbol test.\n- by: eve\n  said: Less of it.\n  of: the very work",
  );
  expect(prompt()).not.toContain("# Refused by people");
});

test("[A-35] what a person said of a plan stands with the question, and once where the input has it already", () => {
  const said = { by: "ada", note: "Leave package.json alone.", asked: "Approve the plan?" };
  const section = (input: unknown) => prompt({ asked: { input, refusals: [said] } }).split("# Refused by people")[1];
  expect(section({})).toContain("- by: ada\n  asked: Approve the plan?\n  said: Leave package.json alone.\n");
  const twice = section({ findings: [{ message: "Leave package.json alone." }] });
  expect(twice).toContain("  said: (as in your input above)\n");
  expect(twice).not.toContain("package.json");
});

test("a word or two of a person is said again: it would be found in any input", () => {
  const refusals = [{ by: "ada", note: "no", asked: "Approve the plan?" }];
  const text = prompt({ asked: { input: { request: "a note" }, refusals } });
  expect(text).toMatch(/asked: Approve the plan\?\n {2}said: "?no"?\n/);
});

test("[A-35] the note beside another answer stands with its question and choice, unless the input has it already", () => {
  const note = "Keep the comma in the greeting.";
  const notes = [{ by: "ada", asked: "Run test again?", choice: "send the work back", note }];
  const section = (input: unknown) => prompt({ asked: { input, notes } }).split("# Notes from people")[1];
  expect(section({})).toContain(
    `- by: ada\n  asked: Run test again?\n  answered: send the work back\n  note: ${note}\n`,
  );
  expect(section({ decisions: [{ note }] })).toBeUndefined();
  expect(prompt()).not.toContain("# Notes from people");
});

test("an agent that runs the checks is told their variables, and a read-only agent is not", () => {
  const checks = [{ name: "test", run: "npm test" }];
  const environment = ["TZ=UTC", "API_TOKEN=…"];
  expect(prompt({ environment, asked: { checks } })).toContain(
    "- The engine runs them with `TZ=UTC`, `API_TOKEN=…`: set the same when you run them.",
  );
  expect(prompt({ environment, asked: { checks }, role: reader })).not.toContain("TZ=UTC");
  expect(prompt({ asked: { checks } })).not.toContain("The engine runs them with");
});

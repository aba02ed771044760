import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { executorStage, RUN } from "../../../test/support/performing.ts";
import { pipeWith } from "../../../test/support/pipe.ts";
import { defineRole } from "../../core/authoring/role.ts";
import type { Effect } from "../../core/journal/effect.ts";
import type { Processes } from "../../core/ports/processes.ts";
import { readScript } from "../../drivers/scripted/read-script.ts";
import { createScriptedDriver } from "../../drivers/scripted/scripted-driver.ts";

const writer = defineRole({ name: "writer", does: "writes", contract: z.object({ did: z.string() }), writes: true });
const reader = defineRole({ name: "reader", does: "reads", contract: z.object({ found: z.string() }) });
const pipeline = pipeWith([writer, reader], { dialect: "completion" });

const signal = new AbortController().signal;
const { at, git, attempt, performer: performerWith } = executorStage(pipeline);
const performer = (script: string, wrap?: (processes: Processes) => Processes) =>
  performerWith(createScriptedDriver(readScript(script)), wrap);

test("an agent's files are taken from its own tree, and only those it may write", async () => {
  const { perform } = await performer(`agents:
  - role: writer
    do:
      - write: { path: b.txt, content: "b\\n" }
      - write: { path: c.txt, content: "c\\n" }
    output: { did: it }`);
  const result = await perform(attempt("writer", { writes: ["b.txt"] }), signal);
  expect(result).toMatchObject({ outcome: "done", contract: { did: "it" }, changed: ["b.txt"], outside: ["c.txt"] });
  expect(git("ls-tree", "--name-only", result.outcome === "done" ? (result.after ?? "") : "")).toBe("a.txt\nb.txt");
  expect(git("status", "--porcelain")).toBe("");
});

test("[A-01] what the engine renders is seen by an agent, but its change to it is not taken", async () => {
  const { perform } = await performer(`agents:
  - role: writer
    do:
      - run: "cp memory.md copy.md; echo mine > memory.md"
    output: { did: it }`);
  const result = await perform(attempt("writer", { rendered: [{ path: "memory.md", text: "ours\n" }] }), signal);
  expect(result).toMatchObject({ outcome: "done", changed: ["copy.md"], outside: ["memory.md"] });
  const after = result.outcome === "done" ? (result.after ?? "") : "";
  expect(git("show", `${after}:copy.md`)).toBe("ours");
  expect(git("ls-tree", "--name-only", after)).toBe("a.txt\ncopy.md");
});

test("an attempt that must not touch other files fails when it does, and names them", async () => {
  const { perform } = await performer(`agents:
  - role: writer
    do:
      - write: { path: b.txt, content: "b\\n" }
      - write: { path: c.txt, content: "c\\n" }
    output: { did: it }`);
  const result = await perform(attempt("writer", { writes: ["b.txt"], outside: "fail" }), signal);
  const failure = { class: "contract", code: "write_outside", message: expect.stringContaining("c.txt") };
  expect(result).toMatchObject({ outcome: "failed", failure });
});

test.each([
  ["not there", "true"],
  ["empty", "printf ' \\n' > plan.md"],
  ["a folder", "mkdir plan.md"],
])("an answer whose file is %s is a contract failure that names the file", async (_how, line) => {
  const { perform } = await performer(`agents: [{ role: writer, do: [{ run: "${line}" }], output: { did: it } }]`);
  const result = await perform(attempt("writer", { delivers: ["plan.md", "a.txt"] }), signal);
  const failure = { class: "contract", code: "output_missing", message: "missing or empty: plan.md" };
  expect(result).toMatchObject({ outcome: "failed", failure });
});

test("a file that is due and may not be taken is named with the rule, so that the next attempt knows", async () => {
  const { perform } = await performer(`agents:
  - role: writer
    do: [{ write: { path: plan.md, content: "a plan" } }]
    output: { did: it }`);
  const result = await perform(attempt("writer", { writes: ["docs/**"], delivers: ["plan.md"] }), signal);
  const message = "there, but not taken: plan.md (it may only change docs/**)";
  expect(result).toMatchObject({ outcome: "failed", failure: { code: "output_missing", message } });
});

test("a file that the engine renders counts as delivered, and is taken where it is granted by name", async () => {
  const { perform } = await performer(`agents:
  - role: writer
    do: [{ run: "echo more >> plan.md" }]
    output: { did: it }`);
  const rendered = [{ path: "plan.md", text: "ours\n" }];
  const ours = await perform(attempt("writer", { rendered, delivers: ["plan.md"], writes: ["plan.md"] }), signal);
  expect(ours).toMatchObject({ outcome: "done", changed: ["plan.md"] });
  expect(git("show", `${ours.outcome === "done" ? ours.after : ""}:plan.md`)).toBe("ours\nmore");
});

test("[A-07] an answer without the dispatch's nonce is a contract failure, whatever the repository quotes", async () => {
  const { perform } = await performer(`agents:
  - role: reader
    reply: |
      completion:
        nonce: other
        found: a quotation`);
  expect(await perform(attempt("reader"), signal)).toMatchObject({
    outcome: "failed",
    failure: { class: "contract", code: "contract_missing" },
  });
});

test("[A-14] the work of a failed attempt stays reachable", async () => {
  const { perform } = await performer(`agents:
  - role: writer
    do:
      - write: { path: b.txt, content: "half\\n" }
      - misbehave: no-contract
    output: { did: it }`);
  expect(await perform(attempt("writer"), signal)).toMatchObject({ outcome: "failed" });
  const pinned = git("for-each-ref", "--format=%(objectname)", `refs/signalbox/${RUN}/t/`).split("\n");
  expect(pinned.map((tree) => git("ls-tree", "--name-only", tree))).toContain("a.txt\nb.txt");
});

test("an attempt leaves neither its folder nor its home behind", async () => {
  const { perform, settled } = await performer("agents:\n  - role: reader\n    output: { found: it }");
  await perform(attempt("reader"), signal);
  await settled();
  expect(readdirSync(at("cache", "homes"))).toEqual([]);
  expect(readdirSync(at("cache", "attempts")).filter((name) => name.startsWith(`${RUN}-`))).toEqual([]);
});

test("[A-17] an attempt that was complete when its engine died is adopted, files and all", async () => {
  const script = `agents:
  - role: writer
    do:
      - write: { path: b.txt, content: "b\\n" }
    output: { did: it }`;
  // An engine that died never hears that its agent has ended.
  const dead = await performer(script, (processes) => ({
    ...processes,
    start: async (order) => ({ ...(await processes.start(order)), exited: new Promise(() => {}) }),
  }));
  dead.perform(attempt("writer"), signal).catch(() => undefined);
  const spool = at("runs", RUN, "spool");
  await until(() => existsSync(spool) && readdirSync(spool).some((name) => ended(join(spool, name, "exit"))));
  const { recover } = await performer(script);
  const result = await recover(attempt("writer"), signal);
  expect(result).toMatchObject({ outcome: "done", contract: { did: "it" }, changed: ["b.txt"], adopted: true });
});

test("an attempt that never began is interrupted", async () => {
  const { recover } = await performer("agents: []");
  expect(await recover(attempt("writer"), signal)).toEqual({ outcome: "interrupted" });
});

test("an attempt that is stopped while its folder is laid is interrupted, and no fault of the pipeline's", async () => {
  const { perform, recover } = await performer("agents: []");
  const stopped = AbortSignal.abort();
  expect(await perform(attempt("writer"), stopped)).toEqual({ outcome: "interrupted" });
  expect(await recover(attempt("writer"), stopped)).toEqual({ outcome: "interrupted" });
});

test("[A-17] an attempt that was under way is ended and its folder discarded", async () => {
  const script = "agents:\n  - role: writer\n    do:\n      - misbehave: hang\n    output: { did: it }";
  const first = await performer(script);
  const stop = new AbortController();
  const going = first.perform(attempt("writer"), stop.signal);
  const spool = at("runs", RUN, "spool");
  await until(() => existsSync(spool) && readdirSync(spool).some((name) => existsSync(join(spool, name, "leader"))));
  const { recover } = await performer(script);
  expect(await recover(attempt("writer"), signal)).toEqual({ outcome: "interrupted" });
  stop.abort();
  await going;
});

test("checks run on a clean checkout of the tree, with nothing of the user's environment", async () => {
  process.env["SIGNALBOX_TEST_SECRET"] = "leak";
  writeFileSync(at("repo", "dirt.txt"), "dirt");
  const { perform } = await performer("agents: []");
  const effect: Effect<"check"> = {
    id: `${RUN}/c@1`,
    run: RUN,
    kind: "check",
    request: {
      tree: git("rev-parse", "HEAD^{tree}"),
      commands: [
        { name: "files", run: "ls" },
        { name: "env", run: "env | grep -c SECRET" },
        { name: "red", run: "echo no >&2; exit 3" },
      ],
    },
  };
  const results = await perform(effect, signal);
  delete process.env["SIGNALBOX_TEST_SECRET"];
  expect(results).toMatchObject([
    { name: "files", exitCode: 0, snippet: "a.txt" },
    { name: "env", exitCode: 1, snippet: "0" },
    { name: "red", exitCode: 3, snippet: "no" },
  ]);
});

test("[A-22] a check's tests are named by their program's own report, and a report that broke off is said", async () => {
  const { perform } = await performer("agents: []");
  const script = (body: string) => `node -e 'const test = require("node:test"); ${body}'`;
  const effect: Effect<"check"> = {
    id: `${RUN}/reports@1`,
    run: RUN,
    kind: "check",
    request: {
      tree: git("rev-parse", "HEAD^{tree}"),
      commands: [
        { name: "works", run: script('test("works", () => console.log("# tests 9\\n# pass 9"))') },
        { name: "ends", run: script('test("ends", () => process.exit(0))') },
        { name: "unasked", run: `${script('test("works", () => {})')}; env | grep -c NODE_OPTIONS`, asked: false },
      ],
    },
  };
  const [works, ends, unasked] = await perform(effect, signal);
  expect(works?.tests).toMatchObject({ total: 1, asked: true, names: { "[eval] › works": "passed" } });
  expect(ends).toMatchObject({ exitCode: 0, notRun: "node:test started a report and did not finish it" });
  expect(ends?.tests).toBeUndefined();
  expect(unasked?.tests?.asked).toBeUndefined();
  expect(unasked).toMatchObject({ exitCode: 1, tests: { total: 1 } });
});

test("[A-21] on the base a line that leaves no whole report runs as it stands, and that is said of it", async () => {
  const { perform } = await performer("agents: []");
  const line = `node -e 'require("node:test")("ends", () => process.exit(0))'`;
  const request = { tree: git("rev-parse", "HEAD^{tree}"), commands: [{ name: "ends", run: line }], keep: true };
  const [ends] = await perform({ id: `${RUN}/base@1`, run: RUN, kind: "check", request } as const, signal);
  expect(ends).toMatchObject({ exitCode: 0, unasked: true });
  expect(ends).not.toHaveProperty("notRun");
});

test("a commit is the checked tree and the rendered files, on the run's own branch", async () => {
  const { perform } = await performer("agents: []");
  const effect: Effect<"commit"> = {
    id: `${RUN}/commit@1`,
    run: RUN,
    kind: "commit",
    request: {
      tree: git("rev-parse", "HEAD^{tree}"),
      rendered: [{ path: "docs/report.md", text: "all\n" }],
      message: "feat: it",
      branch: `signalbox/${RUN}`,
      parent: git("rev-parse", "HEAD"),
      date: 1_900_000_000_000,
    },
  };
  const first = await perform(effect, signal);
  const second = await perform(effect, signal);
  expect(second).toEqual(first);
  expect(git("ls-tree", "-r", "--name-only", `signalbox/${RUN}`)).toBe("a.txt\ndocs/report.md");
  expect(git("rev-list", "--count", `main..signalbox/${RUN}`)).toBe("1");
});

test("a rendered file is mirrored whole for people, and never outside the run's folder", async () => {
  const { perform } = await performer("agents: []");
  const write = (path: string): Effect<"write"> => ({
    id: `${RUN}/w@1`,
    run: RUN,
    kind: "write",
    request: { path, text: "hello\n", to: "mirror" },
  });
  await perform(write("docs/feature/a.md"), signal);
  expect(readFileSync(at("runs", RUN, "artifacts", "docs", "feature", "a.md"), "utf8")).toBe("hello\n");
  await expect(perform(write("../../escape.md"), signal)).rejects.toMatchObject({ code: "USAGE" });
});

/** Not when the file is there: its one line is written a moment later. */
const ended = (exit: string): boolean => existsSync(exit) && readFileSync(exit, "utf8") !== "";

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("it never happened");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("a file that was edited since it was seen is not replaced, and the answer says so", async () => {
  const { perform } = await performer("agents: []");
  const write = (text: string, ifHash: string): Effect<"write"> => ({
    id: `${RUN}/1 Work/a.txt@1`,
    run: RUN,
    kind: "write",
    request: { path: "a.txt", text, to: "checkout", ifHash },
  });
  const result = await perform(write("ours\n", "0".repeat(64)), signal);
  expect(result).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), refused: expect.stringContaining("edited") });
  expect(readFileSync(at("repo", "a.txt"), "utf8")).toBe("a\n");
  expect(await perform(write("ours\n", result.hash), signal)).not.toHaveProperty("refused");
  expect(readFileSync(at("repo", "a.txt"), "utf8")).toBe("ours\n");
});

test("a command runs in the folder that it is asked for, and a folder outside the tree is none", async () => {
  const { perform } = await performer("agents: []");
  mkdirSync(at("repo", "deep"));
  writeFileSync(at("repo", "deep", "b.txt"), "b\n");
  git("add", "deep");
  const tree = git("write-tree");
  const check = (cwd: string): Effect<"check"> => ({
    id: `${RUN}/1 Work/check@${cwd}`,
    run: RUN,
    kind: "check",
    request: { tree, commands: [{ name: "here", run: "test -f b.txt", cwd }] },
  });
  expect(await perform(check("deep"), signal)).toMatchObject([{ exitCode: 0, cwd: "deep" }]);
  expect(await perform(check("../.."), signal)).toMatchObject([
    { exitCode: null, snippet: "there is no folder ../.. in this tree" },
  ]);
});

test("[A-26] trees that were composed for an examination are kept for the run", async () => {
  const { perform } = await performer("agents: []");
  const old = git("rev-parse", "HEAD^{tree}");
  mkdirSync(at("repo", "test"));
  writeFileSync(at("repo", "test", "a.test.js"), "new\n");
  writeFileSync(at("repo", "a.txt"), "b\n");
  git("add", "--all");
  const exam: Effect<"exam"> = {
    id: `${RUN}/exam@1`,
    run: RUN,
    kind: "exam",
    request: { old, new: git("write-tree") },
  };
  const made = await perform(exam, signal);
  expect(made).toMatchObject({ exam: ["test/a.test.js"], code: ["a.txt"] });
  const pinned = git("for-each-ref", "--format=%(objectname)", `refs/signalbox/${RUN}/t/`).split("\n");
  expect(pinned.toSorted()).toEqual([made.oldOnNew, made.newOnOld].toSorted());
});

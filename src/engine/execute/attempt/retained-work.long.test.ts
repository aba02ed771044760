import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { executorStage, PROMPT, RUN, SIGNATURE } from "../../../../test/support/performing.ts";
import { pipeWith } from "../../../../test/support/pipe.ts";
import { createRealWorld } from "../../../cli/real-world.ts";
import { defineRole } from "../../../core/authoring/role.ts";
import { writeContract } from "../../../core/contract/write.ts";
import type { AttemptRequest, AttemptResult } from "../../../core/journal/effect.ts";
import type { Mailbox } from "../../../core/ports/mailbox.ts";
import { createCommandDriver } from "../../../drivers/command/command-driver.ts";
import { createFolderMailbox } from "../../../drivers/mailbox/folder-mailbox.ts";
import { createMailboxDriver } from "../../../drivers/mailbox/mailbox-driver.ts";

const contract = z.object({ did: z.string(), count: z.number() });
const writer = defineRole({ name: "writer", does: "writes", contract, writes: true });
const signer = defineRole({ name: "signer", does: "signs", contract, writes: true, signed: true });
const reader = defineRole({ name: "reader", does: "reads", contract });
const pipeline = pipeWith([writer, signer, reader], { dialect: "completion" });

const calm = new AbortController().signal;
const { at, git, attempt, performer } = executorStage(pipeline);
const good = writeContract({ dialect: "completion", value: { did: "it", count: 1 }, nonce: "n0nce" });
const bad = good.replace("count: 1", "count: many");

/** A program without memory: it notes what it was asked, works where nothing is there yet, and says the next answer. */
const program = (...answers: readonly string[]) => {
  writeFileSync(at("answers.json"), JSON.stringify(answers));
  const script = `
    const fs = require("node:fs");
    const dir = ${JSON.stringify(at())};
    const turn = fs.readdirSync(dir).filter((name) => name.startsWith("asked-")).length;
    fs.writeFileSync(dir + "/asked-" + turn, fs.readFileSync(0));
    if (!fs.existsSync("work.txt")) fs.writeFileSync("work.txt", "turn " + turn);
    fs.writeFileSync("other.txt", "not its own");
    console.log(JSON.parse(fs.readFileSync(dir + "/answers.json"))[turn]);`;
  return createCommandDriver({ name: "my-agent", argv: [process.execPath, "-e", script] });
};
const asked = (turn: number) => readFileSync(at(`asked-${turn}`), "utf8");
const own = { writes: ["work.txt"] } as const;
const keptIn = (result: AttemptResult) => (result.outcome === "failed" ? (result.kept ?? "") : "");

test("a program whose answer cannot be read is started again in its folder, told what is wrong and what it said", async () => {
  const result = await (await performer(program(bad, good))).perform(attempt("writer", own), calm);
  expect(result).toMatchObject({ outcome: "done", contract: { did: "it", count: 1 }, repairs: 1 });
  expect(result).toMatchObject({ changed: ["work.txt"], outside: ["other.txt"] });
  expect(git("show", `${result.outcome === "done" ? result.after : ""}:work.txt`)).toBe("turn 0");
  expect(asked(0)).not.toContain("Only your answer is missing");
  for (const part of [PROMPT, "Do not start again", "count should be number", ">   count: many", "nonce: n0nce"]) {
    expect(asked(1)).toContain(part);
  }
  expect(asked(1).trimEnd().endsWith("```")).toBe(true);
});

test("an attempt that fails by its answer alone keeps its work, and the next begins with it and is told so", async () => {
  const { perform } = await performer(program(bad, bad, bad, good.replace("n0nce", "n0nce-2")));
  const first = await perform(attempt("writer", own), calm);
  expect(first).toMatchObject({ outcome: "failed", failure: { class: "contract", code: "contract_invalid" } });
  const kept = keptIn(first);
  expect(git("ls-tree", "--name-only", kept)).toBe("a.txt\nwork.txt");
  const more = { attempt: 2, nonce: "n0nce-2", kept, retry: { number: 1, because: "count should be number" } };
  const second = await perform(attempt("writer", { ...own, ...more }), calm);
  expect(second).toMatchObject({ outcome: "done", changed: ["work.txt"], outside: ["other.txt"] });
  expect(git("show", `${second.outcome === "done" ? second.after : ""}:work.txt`)).toBe("turn 0");
  expect(asked(3)).toContain("The work of an earlier attempt is in the working directory");
  expect(asked(3)).toMatch(/The previous answer could not be used\. .*\n\n```text\ncount should be number\n```/);
});

/** Writes its plan in the given turn and not before, or never. */
const planner = (turn: number) => {
  const script = `
    const fs = require("node:fs");
    const dir = ${JSON.stringify(at())};
    const turn = fs.readdirSync(dir).filter((name) => name.startsWith("asked-")).length;
    fs.writeFileSync(dir + "/asked-" + turn, fs.readFileSync(0));
    fs.writeFileSync("work.txt", "turn " + turn);
    if (turn === ${turn}) fs.writeFileSync("plan.md", "A plan.");
    console.log(${JSON.stringify(good)});`;
  return createCommandDriver({ name: "my-agent", argv: [process.execPath, "-e", script] });
};
const planned = { writes: ["work.txt", "plan.md"], delivers: ["plan.md"] } as const;

test("a file that was not written is asked for in the same attempt, as a field that is missing is", async () => {
  const result = await (await performer(planner(1))).perform(attempt("writer", planned), calm);
  expect(result).toMatchObject({ outcome: "done", repairs: 1, changed: ["plan.md", "work.txt"] });
  for (const part of ["missing or empty: plan.md", "Do not start again", "Write what is missing"]) {
    expect(asked(1)).toContain(part);
  }
});

test("a file that is never written fails the attempt, and the other files are kept for the next one", async () => {
  const result = await (await performer(planner(9))).perform(attempt("writer", planned), calm);
  expect(result).toMatchObject({ outcome: "failed", failure: { class: "contract", code: "output_missing" } });
  expect(git("ls-tree", "--name-only", keptIn(result))).toBe("a.txt\nwork.txt");
  expect(existsSync(at("asked-2"))).toBe(true);
});

test("what the engine renders is in a folder that begins with kept work, and is taken from neither attempt", async () => {
  const { perform } = await performer(program(bad, bad, bad, good));
  const rendered = [{ path: "memory.md", text: "ours\n" }];
  const kept = keptIn(await perform(attempt("writer", { ...own, rendered }), calm));
  expect(git("ls-tree", "--name-only", kept)).toBe("a.txt\nwork.txt");
  const more: Partial<AttemptRequest> = { attempt: 2, kept, rendered: [{ path: "memory.md", text: "newer\n" }] };
  const second = await perform(attempt("writer", { ...own, ...more }), calm);
  expect(second).toMatchObject({ outcome: "done", changed: ["work.txt"], outside: ["other.txt"] });
});

test.each([
  ["a role that does not write", "reader", good.replace("count: 1", "count: many")],
  ["a program that fails otherwise", "writer", undefined],
  ["a role that signs, without its signature", "signer", good.replace("count: 1", "count: many")],
])("nothing is kept of %s", async (_what, role, answer) => {
  const driver =
    answer === undefined ? createCommandDriver({ name: "c", argv: ["false"] }) : program(answer, answer, answer);
  const result = await (await performer(driver)).perform(attempt(role), calm);
  expect(result.outcome).toBe("failed");
  expect(result).not.toHaveProperty("kept");
});

test.each([
  ["in its contract", (answer: string) => `${answer}\n  signature: RED_FOX`],
  [
    "in its contract, beside the right one in its words",
    (answer: string) => `I am ${SIGNATURE}.\n${answer}\n  signature: RED_FOX`,
  ],
])(
  "an answer that cannot be read and is signed by another %s is not mended, and its work not handed on",
  async (_where, sign) => {
    const mended = `${good}\n  signature: ${SIGNATURE}`;
    const result = await (await performer(program(sign(bad), mended, mended))).perform(attempt("signer", own), calm);
    expect(result).toMatchObject({ outcome: "failed", failure: { class: "contract", code: "contract_invalid" } });
    expect(result).not.toHaveProperty("kept");
    expect(existsSync(at("asked-1"))).toBe(false);
  },
);

test.each(["SIGNED_VALUE", "<the word after SIGNED_VALUE above>"])(
  "[R-16] an answer that has the form's own %s for a signature is asked for again",
  async (place) => {
    const mended = `${good}\n  signature: ${SIGNATURE}`;
    const copied = `${good}\n  signature: ${place}`;
    const result = await (await performer(program(copied, mended))).perform(attempt("signer", own), calm);
    expect(result).toMatchObject({ outcome: "done", repairs: 1 });
  },
);

test("an answer that cannot be read hides no file that is not the role's own", async () => {
  const strict = { ...own, outside: "fail" } as const;
  const result = await (await performer(program(bad, bad, bad))).perform(attempt("writer", strict), calm);
  expect(result).toMatchObject({ outcome: "failed", failure: { class: "contract", code: "write_outside" } });
  const { message } = result.outcome === "failed" ? result.failure : { message: "" };
  expect(message).toContain("other.txt");
  expect(message).toContain("count should be number");
  expect(result).not.toHaveProperty("kept");
});

test("what a role has signed is kept, although its answer cannot be read", async () => {
  const signed = `${bad}\n  signature: ${SIGNATURE}`;
  const result = await (await performer(program(signed, signed, signed))).perform(attempt("signer", own), calm);
  expect(git("show", `${keptIn(result)}:work.txt`)).toBe("turn 0");
});

test("[A-17] a repair that was complete when its engine died is what is adopted", async () => {
  // An engine that died never hears that the repair has ended.
  let starts = 0;
  const dead = await performer(program(bad, good), (processes) => ({
    ...processes,
    start: async (order) => {
      const running = await processes.start(order);
      starts += 1;
      return starts === 1 ? running : { ...running, exited: new Promise(() => {}) };
    },
  }));
  dead.perform(attempt("writer", own), calm).catch(() => undefined);
  const ended = () => {
    const spools = existsSync(at("runs", RUN, "spool")) ? readdirSync(at("runs", RUN, "spool")) : [];
    const files = spools.map((name) => at("runs", RUN, "spool", name, "repair-1", "exit"));
    return files.some((file) => existsSync(file) && readFileSync(file, "utf8") !== "");
  };
  while (!ended()) await createRealWorld({}).sleep(5);
  const result = await (await performer(program(bad, good))).recover(attempt("writer", own), calm);
  expect(result).toMatchObject({ outcome: "done", contract: { did: "it" }, changed: ["work.txt"], adopted: true });
});

const mailboxIn = (): Mailbox => createFolderMailbox({ dir: at("mailbox"), now: Date.now });

async function waiting(mailbox: Mailbox) {
  for (;;) {
    const [row] = await mailbox.list();
    if (row) return row;
    await new Promise(setImmediate);
  }
}

test("a mailbox agent is told the problem, and answers the same dispatch again with its work in place", async () => {
  const mailbox = mailboxIn();
  const going = (await performer(createMailboxDriver({ mailbox: mailboxIn() }))).perform(attempt("writer", own), calm);
  const { id, cwd } = await waiting(mailbox);
  writeFileSync(join(cwd, "work.txt"), "by hand");
  expect(await mailbox.answer(id, { by: "editor", message: bad })).toBe(true);
  expect(await mailbox.judged(id, 0, 10_000)).toEqual({
    answer: 1,
    accepted: false,
    open: true,
    problem: expect.stringContaining('count should be number, found "many"'),
  });
  const again = await waiting(mailbox);
  expect(again).toMatchObject({
    id,
    cwd,
    takenBy: "editor",
    prompt: expect.stringContaining("Only your answer is missing"),
  });
  expect(await mailbox.answer(id, { by: "another", message: good })).toBe(false);
  expect(await mailbox.answer(id, { by: "editor", message: good })).toBe(true);
  expect(await going).toMatchObject({ outcome: "done", changed: ["work.txt"], repairs: 1 });
  expect(await mailbox.judged(id, 1, 10_000)).toEqual({ answer: 2, accepted: true, open: false });
});

test("a mailbox agent is told which required file is missing, and may still write it", async () => {
  const mailbox = mailboxIn();
  const going = (await performer(createMailboxDriver({ mailbox: mailboxIn() }))).perform(
    attempt("writer", planned),
    calm,
  );
  const { id, cwd } = await waiting(mailbox);
  expect(await mailbox.answer(id, { by: "editor", message: good })).toBe(true);
  const problem = "missing or empty: plan.md";
  expect(await mailbox.judged(id, 0, 10_000)).toEqual({ answer: 1, accepted: false, open: true, problem });
  await waiting(mailbox);
  writeFileSync(join(cwd, "plan.md"), "A plan.");
  expect(await mailbox.answer(id, { by: "editor", message: good })).toBe(true);
  expect(await going).toMatchObject({ outcome: "done", changed: ["plan.md"], repairs: 1 });
});

test("after three answers that cannot be read the dispatch fails, and its work is kept", async () => {
  const mailbox = mailboxIn();
  const going = (await performer(createMailboxDriver({ mailbox: mailboxIn() }))).perform(attempt("writer", own), calm);
  const { id, cwd } = await waiting(mailbox);
  writeFileSync(join(cwd, "work.txt"), "by hand");
  for (const before of [0, 1, 2]) {
    expect(await mailbox.answer(id, { by: "editor", message: bad })).toBe(true);
    expect(await mailbox.judged(id, before, 10_000)).toMatchObject({ accepted: false, open: before < 2 });
  }
  expect(await mailbox.answer(id, { by: "editor", message: good })).toBe(false);
  const result = await going;
  expect(result).toMatchObject({ outcome: "failed", failure: { code: "contract_invalid" } });
  expect(git("show", `${keptIn(result)}:work.txt`)).toBe("by hand");
});

test("[A-17] an answer that cannot be read and came while no engine was there is sent back by the next one", async () => {
  const mailbox = mailboxIn();
  const stop = new AbortController();
  const first = (await performer(createMailboxDriver({ mailbox: mailboxIn() }))).perform(
    attempt("writer", own),
    stop.signal,
  );
  const { id, cwd } = await waiting(mailbox);
  stop.abort();
  expect(await first).toEqual({ outcome: "interrupted", outlives: true });
  writeFileSync(join(cwd, "work.txt"), "by hand");
  await mailbox.answer(id, { by: "editor", message: bad });
  const next = (await performer(createMailboxDriver({ mailbox: mailboxIn() }))).recover(attempt("writer", own), calm);
  expect(await mailbox.judged(id, 0, 10_000)).toMatchObject({ accepted: false, open: true });
  await mailbox.answer(id, { by: "editor", message: good });
  expect(await next).toMatchObject({ outcome: "done", changed: ["work.txt"] });
});

import { expect, test } from "vitest";
import { changesIn, treeOf } from "../support/answers/paper-world.ts";
import {
  BRANCH,
  commits,
  DOC_FILES,
  events,
  FOLDER,
  fails,
  plans,
  play,
  progressOf,
  questions,
  roles,
  type Setting,
  sentTo,
  TRIVIAL,
  yamlIn,
} from "./paper.ts";

/** Documents are not refreshed, so the tree has only those that the gate carries. */
const parts = { Planner: plans(TRIVIAL), Initializer: () => fails() };
const base = { "src/old.ts": "" };
const run = (setting: Setting = {}) => play({ base, parts, ...setting });
const findFirstTree = (played: Awaited<ReturnType<typeof play>>) =>
  changesIn(sentTo(played, "Developer")[0]?.tree ?? "");

test("[T-13] no code is written before the gate is complete", async () => {
  const { effects } = await run();
  const done = effects.findIndex(
    (effect) => effect.kind === "write" && effect.request.text.includes("git_gate_completed: true"),
  );
  const first = effects.findIndex((effect) => effect.kind === "attempt" && effect.request.role === "Developer");
  expect(done).toBeGreaterThan(0);
  expect(first).toBeGreaterThan(done);
});

test("[T-13] the work is committed to the branch of type, ticket and slug", async () => {
  expect(commits(await run())).toMatchObject([{ branch: BRANCH, parent: "c0" }]);
});

test("[T-13] uncommitted documents are carried onto the branch, and nobody is asked", async () => {
  const checkout = { "docs/notes.md": "mine\n", "README.md": "# mine\n" };
  const played = await run({ checkout, dirt: Object.keys(checkout) });
  expect(played.status).toBe("done");
  expect(questions(played)).toEqual([]);
  expect(findFirstTree(played)).toEqual(checkout);
  expect(changesIn(commits(played)[0]?.tree ?? "")).toMatchObject(checkout);
});

test("[T-13] a person's version takes precedence over a refreshed one", async () => {
  const checkout = { "docs/FINDINGS.md": "mine\n" };
  const Initializer = () => ({ contract: { status: "DONE" }, files: DOC_FILES });
  const played = await run({ checkout, dirt: ["docs/FINDINGS.md"], parts: { ...parts, Initializer } });
  expect(findFirstTree(played)).toEqual(checkout);
});

const CODE = {
  checkout: { "src/old.ts": "changed\n", "docs/notes.md": "mine\n" },
  dirt: ["src/old.ts", "docs/notes.md"],
};

test.each(["interactive", "autonomous"] as const)(
  "[T-13] other uncommitted changes ask a person, also in %s mode",
  async (approvals) => {
    const played = await run({ ...CODE, approvals });
    expect(played).toMatchObject({ status: "waiting", exit: 3 });
    expect(questions(played)).toMatchObject([
      { choices: ["leave them", "carry them", "abort"], auto: "never", show: ["src/old.ts"] },
    ]);
    expect(roles(played)).not.toContain("Developer");
  },
);

test("[T-13] a person may leave other uncommitted changes, or include them", async () => {
  const left = await run({ ...CODE, answers: ["leave them"] });
  expect(left.status).toBe("done");
  expect(findFirstTree(left)).toEqual({});
  const carried = await run({ ...CODE, answers: ["carry them"] });
  expect(findFirstTree(carried)).toEqual(CODE.checkout);
});

test("[T-52] abort stops with tree, branch and index unchanged", async () => {
  const played = await run({ ...CODE, answers: ["abort"] });
  expect(played).toMatchObject({
    status: "error",
    exit: 1,
    reason: expect.stringContaining("aborted at the git gate"),
  });
  expect(roles(played)).not.toContain("Developer");
  expect(commits(played)).toEqual([]);
  const outside = played.effects.filter(
    (effect) => effect.kind === "write" && !effect.request.path.startsWith(`${FOLDER}/`),
  );
  expect(outside).toEqual([]);
  expect(yamlIn(played, "progress.yaml")).toMatchObject({ status: "PENDING", git_gate_completed: false });
});

test("[T-14] the ticket's own files are no uncommitted changes", async () => {
  const dirt = [`${FOLDER}/progress.yaml`, `${FOLDER}/log.jsonl`, "docs/docs_cache_state.yaml"];
  const played = await run({ dirt, checkout: { "docs/docs_cache_state.yaml": "trust_status: unknown\n" } });
  expect(played.status).toBe("done");
  expect(questions(played)).toEqual([]);
  expect(findFirstTree(played)).toEqual({});
});

test("[T-13] a merge in progress stops the run at the gate", async () => {
  const played = await run({ sees: { checkout: { branch: "main", dirt: [], operation: "merge" } } });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("a merge is in progress") });
});

const createBranch = (...subjects: string[]) => ({
  branch: (name: string) =>
    name === BRANCH ? { tree: treeOf({ "src/before.ts": "x" }), commit: "c7", subjects } : undefined,
});

test("[T-52] an existing branch of that name is used if it is this ticket's own: the work continues from its tip", async () => {
  const played = await run(createBranch("feat(ABC-12): complete iteration 1"));
  expect(findFirstTree(played)).toEqual({ "src/before.ts": "x" });
  expect(commits(played)).toMatchObject([{ branch: BRANCH, parent: "c7" }]);
});

test("[T-52] an existing branch of that name that is not the ticket's stops the run before any code", async () => {
  const played = await run(createBranch("feat(ABC-12): mine", "somebody else's work"));
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("does not belong to this ticket") });
  expect(roles(played)).not.toContain("Developer");
});

test("[T-52] a checked-out branch is not moved: the work waits on the run's own branch", async () => {
  const played = await run({ sees: { head: { tree: "base", commit: "c0", branch: BRANCH } } });
  expect(commits(played)).toMatchObject([{ branch: `signalbox/${played.stage.run}`, parent: "c0" }]);
});

test("[T-13] the gate runs once: later iterations continue after it", async () => {
  const Reviewer = ({ round, input }: { round: number; input: unknown }) => {
    const { mode } = input as { mode: string };
    return {
      contract: {
        criteria: [],
        status: mode === "task-review" || round > 1 ? "ACCEPTED" : "REJECTED",
        summary: "again",
      },
    };
  };
  const played = await play({ base, parts: { Initializer: () => fails(), Reviewer } });
  expect(events(played).filter((event) => event.startsWith("git.gate"))).toEqual([
    "git.gate.start",
    "git.gate.complete",
  ]);
  expect(progressOf(played).filter((state) => state["current_step"] === "O1").length).toBeGreaterThan(1);
});

test("[T-52] after an abort the next run continues with the existing plan", async () => {
  const aborted = await run({ ...CODE, answers: ["abort"] });
  const checkout = Object.fromEntries(aborted.written.map(({ path, text }) => [`${FOLDER}/${path}`, text]));
  const played = await run({ checkout });
  expect(played.status).toBe("done");
  expect(roles(played)).not.toContain("Planner");
  expect(sentTo(played, "Developer")).toHaveLength(1);
});

test("[T-13] documents are not carried if HEAD has moved", async () => {
  let looks = 0;
  const played = await run({
    checkout: { "docs/notes.md": "mine\n" },
    dirt: ["docs/notes.md"],
    perform: (effect, paper) => {
      if (effect.kind !== "see" || effect.request.what !== "head") return paper(effect);
      looks += 1;
      return { tree: "base", commit: `c${looks}`, branch: "main" };
    },
  });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("HEAD has moved") });
  expect(roles(played)).not.toContain("Developer");
});

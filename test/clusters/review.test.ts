import { expect, test } from "vitest";
import type { Effect } from "../../src/core/journal/effect.ts";
import { changesIn, RED } from "../support/answers/paper-world.ts";
import {
  builds,
  commits,
  decided,
  errs,
  FOLDER,
  fails,
  first,
  given,
  inputsOf,
  names,
  type Part,
  type Played,
  phasesOf,
  plans,
  play,
  questions,
  report,
  revise,
  sentTo,
  short,
  writes,
} from "./paper.ts";

const CRITICAL = "- [Critical] the name is evaluated as code (src/01-greet.ts)\n";
const MAJOR = "- [Major] greets nobody (src/01-greet.ts)\n";
const countReplans = (played: Played): number =>
  inputsOf(played, "planner").filter((input) => input["mode"] === "replan").length;
const R = ["r-quality", "r-security", "r-testing", "r-knowledge"];

const oneTask = (path: string) => ({ planner: plans({ a: { files: [path] } }, { z: { files: ["src/z.ts"] } }) });

test.each([
  ["src/auth/login.ts", "Full"],
  ["src/greet.ts", "Standard"],
  ["README.md", "Lightweight"],
])("[C-15] a change of %s is reviewed in the tier %s", async (path, tier) => {
  const played = await play({ parts: { ...oneTask(path), implementer: builds("x") } });
  expect(inputsOf(played, "r-quality")[0]).toMatchObject({ tier });
});

test("[C-44] the tier is recorded, passed to all four reviewers and printed in review.md", async () => {
  const played = await play({ parts: oneTask("src/auth/login.ts") });
  expect(report(played).tier).toBe("Full");
  for (const name of R) expect(inputsOf(played, name)[0]).toMatchObject({ tier: "Full" });
  expect(played.files["review.md"]).toContain("- Tier: Full");
  const rendered = commits(played)[0]?.rendered.find(({ path }) => path === `${FOLDER}/review.md`);
  expect(rendered?.text).toContain("- Tier: Full");
});

test.each([
  ["an ERROR", fails],
  ["a critical finding beside ERROR", first(fails, writes(CRITICAL))],
  ["a rewritten log", writes("- [Blocker] x")],
])("[C-16] %s of r-knowledge never changes the aggregate", async (_what, part) => {
  const played = await play({ parts: { "r-knowledge": part } });
  expect(decided(played, "R")).toEqual(["DONE"]);
  expect(played.status).toBe("done");
});

test("[C-16] an ERROR of r-security after its retry goes to the single replan, then halts", async () => {
  const played = await play({ parts: { "r-security": fails } });
  expect(sentTo(played, "r-security").map(({ round, attempt }) => [round, attempt])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
  ]);
  expect(decided(played, "R")).toEqual(["ERROR", "ERROR"]);
  expect(countReplans(played)).toBe(1);
  expect(played).toMatchObject({
    status: "error",
    exit: 1,
    reason: expect.stringContaining("security was not reviewed"),
  });
});

test.each(["Blocker", "Critical"])(
  "[C-16] a %s finding of r-security is confirmed by a second look once; if it stands, it goes to the replan",
  async (word) => {
    const played = await play({ parts: { "r-security": writes(CRITICAL.replace("Critical", word)) } });
    const asked = inputsOf(played, "r-security").map((input) => input["confirm"]);
    const it = [expect.objectContaining({ severity: word.toLowerCase(), message: expect.stringContaining("as code") })];
    expect(asked).toEqual([undefined, it, undefined, it]);
    expect(inputsOf(played, "r-security")[1]?.inputs.map(short)).toContain("review/r-security.md");
    expect(names(played)[names(played).indexOf("r-aggregator") + 1]).toBe("planner");
    expect(countReplans(played)).toBe(1);
    expect(played.reason).toContain("security: the name is evaluated as code");
    expect(commits(played)).toEqual([]);
  },
);

test("[C-16] a finding that r-security withdraws stops nothing; a failed second look withdraws nothing", async () => {
  const taken =
    (second: Part): Part =>
    (request) =>
      (given(request)["confirm"] ? second : writes(CRITICAL))(request);
  const back = await play({ parts: { "r-security": taken(writes()) } });
  expect([decided(back, "R"), countReplans(back), back.status]).toEqual([["DONE"], 0, "done"]);
  const lost = await play({ parts: { "r-security": taken(fails) } });
  expect(decided(lost, "R")).toEqual(["ERROR", "ERROR"]);
});

test("[C-16] a review of the new tree clears it", async () => {
  const played = await play({ parts: { "r-security": first(writes(CRITICAL)) } });
  expect(decided(played, "R")).toEqual(["ERROR", "DONE"]);
  expect(played.status).toBe("done");
});

test("[C-17] an objection goes to the affected implementers once, and then the whole cluster reviews again", async () => {
  const played = await play({ parts: { "r-quality": first(writes(MAJOR)) } });
  const after = names(played).slice(names(played).indexOf("r-aggregator") + 1);
  expect(after).toEqual(["01-greet", ...R, "r-aggregator"]);
  expect(countReplans(played)).toBe(0);
  expect(played.status).toBe("done");
});

test("[C-17] a second objection goes to the planner once, from step 5 on; a third makes the run an ERROR", async () => {
  const played = await play({ parts: { "r-quality": writes(MAJOR) } });
  expect(decided(played, "R")).toEqual(Array(3).fill("NEEDS_REVISION"));
  expect(countReplans(played)).toBe(1);
  const last = phasesOf(played).slice(phasesOf(played).indexOf("7 Final review"));
  expect(last.map((title) => title.split(" ")[0])).toEqual(["7", "5", "7", "4", "5", "6", "7"]);
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("greets nobody") });
});

test("[C-17] objections that the replan resolves end the run as DONE", async () => {
  const until3: Part = (request) => (request.round < 3 ? writes(MAJOR) : writes())(request);
  const played = await play({ parts: { "r-quality": until3 } });
  expect(decided(played, "R")).toEqual(["NEEDS_REVISION", "NEEDS_REVISION", "DONE"]);
  expect(played.status).toBe("done");
});

test("[C-39] an ERROR other than security goes to the same single replan", async () => {
  const played = await play({ parts: { "r-quality": fails, "r-testing": fails } });
  expect(decided(played, "R")).toEqual(["ERROR", "ERROR"]);
  expect(countReplans(played)).toBe(1);
  const replan = inputsOf(played, "planner").at(-1);
  expect(replan?.inputs.map(short)).toContain("review.md");
  expect(played.status).toBe("error");
});

test("[C-39] a run has one replan: an objection and a later ERROR do not get two", async () => {
  const worse: Part = (request) => (request.round === 1 ? writes(MAJOR)(request) : errs());
  const played = await play({
    parts: { "r-quality": worse, "r-security": (r) => (r.round > 1 ? errs() : writes()(r)) },
  });
  expect(decided(played, "R")).toEqual(["NEEDS_REVISION", "ERROR", "ERROR"]);
  expect(countReplans(played)).toBe(1);
});

const TWO = { planner: plans({ a: {}, b: {} }, { z: {} }) };
const OBJECTIONS = "- [Major] a is wrong (src/a.ts)\n- [Major] b is wrong (src/b.ts)\n";

test("[C-38] a fix pass gives each affected implementer its task file and its own findings", async () => {
  const played = await play({ parts: { ...TWO, "r-quality": first(writes(OBJECTIONS)) } });
  const fixes = inputsOf(played, "implementer").filter((input) => input["findings"]);
  expect(fixes.map((input) => [input["task"], input.inputs.map(short).at(-1)])).toEqual([
    ["a", "tasks/a.md"],
    ["b", "tasks/b.md"],
  ]);
  const told = fixes.map((input) => JSON.stringify(input["findings"]));
  expect(told[0]).toContain("a is wrong");
  expect(told[0]).not.toContain("b is wrong");
  expect(told[1]).not.toContain("a is wrong");
});

test("[C-38] an implementer whose files have no objection is not dispatched", async () => {
  const played = await play({ parts: { ...TWO, "r-quality": first(writes("- [Major] b is wrong (src/b.ts)\n")) } });
  const fixes = sentTo(played, "implementer").filter(({ round }) => round === 2);
  expect(fixes.map(({ task }) => task)).toEqual(["b"]);
});

test("[C-38] the engine's build and tests follow, then the whole cluster", async () => {
  const played = await play({ parts: { "r-quality": first(writes(MAJOR)) } });
  const fix = played.effects.findIndex((effect) => effect.kind === "attempt" && effect.id.includes("/fix-"));
  const again = played.effects.findIndex(
    (effect) => effect.kind === "attempt" && effect.request.role === "r-quality" && effect.request.round === 2,
  );
  const tree = sentTo(played, "r-quality")[1]?.tree;
  const between = played.effects
    .slice(fix, again)
    .flatMap((effect) => (effect.kind === "check" ? [effect.request] : []));
  const names = between
    .filter((request) => request.tree === tree)
    .flatMap(({ commands }) => commands.map(({ name }) => name));
  expect(names).toEqual(["build", "test", "lint"]);
});

test("[C-38] a fix that breaks the build is not reviewed, and goes to the planner", async () => {
  const breaks: Part = (request) => (request.round === 2 ? builds(RED) : builds(`x ${request.round}`))(request);
  const played = await play({ parts: { "r-quality": first(writes(MAJOR)), implementer: breaks, ...repairing } });
  expect(decided(played, "fix pass")[0]).toBe(0);
  expect(sentTo(played, "r-quality").map(({ round }) => round)).toEqual([1, 3]);
  expect(countReplans(played)).toBe(1);
});
const repairing = {
  planner: plans({ "01-greet": {} }, { "01-greet": { files: ["src/01-greet.ts", "src/more.ts"] } }),
};

const LOG = "# Decisions\n\n## One\n\nWe greet.\n";

const knows =
  (text: (round: number) => string): Part =>
  (request) => ({
    contract: { line: "DONE", message: "noted" },
    files: {
      [`${FOLDER}/review/r-knowledge.md`]: "# Knowledge\n",
      [`${FOLDER}/review/knowledge-suggestions.md`]: "1. instruction-update: .github/agents/x.agent.md\n",
      [`${FOLDER}/decisions.md`]: text(request.round),
    },
  });

test("[C-24] decisions of earlier runs and rounds stay, and new ones are appended", async () => {
  const played = await play({
    base: { [`${FOLDER}/decisions.md`]: LOG },
    parts: {
      "r-knowledge": knows((round) => `${LOG}\n## Round ${round}\n`.replace("## Round 2", "## Round 1\n\n## Round 2")),
      "r-quality": first(writes(MAJOR)),
    },
  });
  expect(played.files["decisions.md"]).toBe(`${LOG}\n## Round 1\n\n## Round 2\n`);
});

test("[C-24] a log that lost a line is discarded", async () => {
  const played = await play({
    base: { [`${FOLDER}/decisions.md`]: LOG },
    parts: { "r-knowledge": knows(() => "# Decisions\n\nAll new.\n") },
  });
  const rendered = commits(played)[0]?.rendered.find(({ path }) => path === `${FOLDER}/decisions.md`);
  expect(rendered?.text).toBe(LOG);
  expect(report(played).warnings).toContainEqual(expect.stringContaining("changed earlier decisions"));
  expect(played.status).toBe("done");
});

test("[C-24] suggestions are stored for people and never applied", async () => {
  const agents = { ".github/agents/x.agent.md": "as it was\n" };
  const greedy: Part = (request) => {
    const known = knows(() => LOG)(request);
    return {
      ...known,
      contract: { line: "DONE", message: "x" },
      files: { ...("files" in known ? known.files : {}), ".github/agents/x.agent.md": "new\n" },
    };
  };
  const played = await play({ base: agents, parts: { "r-knowledge": greedy } });
  const committed = changesIn(commits(played)[0]?.tree ?? "");
  expect(committed[".github/agents/x.agent.md"]).toBeUndefined();
  expect(committed[`${FOLDER}/review/knowledge-suggestions.md`]).toContain("instruction-update");
  expect(report(played)).toMatchObject({
    for_people: [`${FOLDER}/review/knowledge-suggestions.md`, `${FOLDER}/decisions.md`],
  });
});

test("[C-25] DONE when verification and review are DONE, with one commit of the reviewed tree", async () => {
  const played = await play();
  expect(played).toMatchObject({ status: "done", exit: 0 });
  expect(commits(played)).toHaveLength(1);
  expect(report(played).result).toBe("DONE: Greet people by name");
  expect(report(played)).not.toHaveProperty("open");
});

const OPEN = { "v-tests": revise(MAJOR) };

test.each(["interactive", "autonomous"] as const)(
  "[C-25] issues open after verification go to the review, and into the report of a done run, in %s mode",
  async (approvals) => {
    const answers = approvals === "interactive" ? ["proceed", "proceed"] : [];
    const played = await play({ approvals, answers, parts: OPEN });
    expect([decided(played, "V").at(-1), decided(played, "R")]).toEqual(["NEEDS_REVISION", ["DONE"]]);
    expect(played).toMatchObject({ status: "done", exit: 0 });
    expect(commits(played)).toHaveLength(1);
    expect(report(played)).toMatchObject({ open: expect.arrayContaining([expect.stringContaining("greets nobody")]) });
    expect(questions(played)).toHaveLength(2);
    const told = expect.arrayContaining([
      expect.objectContaining({ message: expect.stringContaining("greets nobody") }),
    ]);
    for (const name of ["r-quality", "r-aggregator"]) expect(inputsOf(played, name)[0]).toMatchObject({ open: told });
  },
);

test("[C-25] a passed review does not make up for a red tree", async () => {
  const played = await play({ parts: { implementer: builds(RED) } });
  expect(decided(played, "R")).toEqual(["DONE"]);
  expect(played).toMatchObject({ status: "error", exit: 1, reason: expect.stringContaining("passed on the baseline") });
  expect(commits(played)).toEqual([]);
});

test("[C-25] nor for a tree on which a command could not run", async () => {
  const unable = (effect: Effect, paper: (effect: Effect) => unknown): unknown => {
    if (effect.kind !== "check" || !effect.request.tree.startsWith("tree-")) return paper(effect);
    // The paper world answers a check with a list.
    const results = paper(effect) as { name: string }[];
    return results.map((each) =>
      each.name === "test" ? { ...each, exitCode: null, notRun: "no such program" } : each,
    );
  };
  const played = await play({ perform: unable });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("test could not be run") });
  expect(played.files["review.md"]).toContain("- Evidence: build passed, test could not be run, lint passed");
});

test("[C-25] issues open after verification are also reported if the review did not pass", async () => {
  const played = await play({ parts: { ...OPEN, "r-security": fails } });
  expect(played).toMatchObject({ status: "error", reason: expect.stringContaining("greets nobody") });
  expect(played.reason).toContain("security was not reviewed");
});

test("[A-02] a verdict is shown next to the engine's results on its tree", async () => {
  const seen = "build passed, test passed, lint passed";
  const played = await play();
  expect(played.files["review.md"]).toContain(`- Evidence: ${seen}`);
  expect(played.files["verifier.md"]).toContain(`- Evidence: ${seen}`);
  expect(inputsOf(played, "r-quality")[0]).toMatchObject({ evidence: seen });
  const unseen = await play({ commands: [] });
  expect(unseen.files["review.md"]).toContain("no command of the project has shown that this tree works");
});

test("[A-30] a fix pass that changes nothing is not reviewed, and goes to the planner", async () => {
  const idle: Part = (request) =>
    given(request)["findings"] && request.task === "01-greet"
      ? { contract: { line: "DONE", message: "as it should be" }, files: {} }
      : builds("x")(request);
  const played = await play({ parts: { "r-quality": first(writes(MAJOR)), implementer: idle } });
  expect(sentTo(played, "r-quality").map(({ round }) => round)).toEqual([1, 3]);
  expect(JSON.stringify(inputsOf(played, "planner").at(-1)?.["findings"])).toContain("greets nobody");
  expect(report(played).warnings).toContain("01-greet could not be fixed: reports DONE but changed no file");
});

test("[C-40] an objection without a list of findings is reported by its last line, and each issue once", async () => {
  const says: Part = (request) => ({
    ...writes()(request),
    contract: { line: "NEEDS_REVISION", message: "greets too quietly" },
  });
  const played = await play({ parts: { "r-testing": says } });
  expect(inputsOf(played, "01-greet").at(-1)?.["findings"]).toContainEqual(
    expect.objectContaining({ message: "greets too quietly", by: "r-testing" }),
  );
  expect(played.reason).toBe("ERROR: unresolved: against it: r-testing; greets too quietly");
});

test("[C-24] the list for people has only what exists", async () => {
  const played = await play({ parts: { "r-knowledge": fails } });
  expect(played.status).toBe("done");
  expect(report(played)).toMatchObject({ for_people: [] });
});

test.each([
  ["an objection that stays", { "r-quality": revise(MAJOR) }],
  ["an aggregator that always objects", { "r-aggregator": revise() }],
  ["a tree that stays red", { implementer: builds(RED) }],
  ["a failed step", { designer: fails }],
])("[C-40] the result of %s is ERROR with the unresolved issues, never NEEDS_REVISION", async (_what, parts) => {
  const played = await play({ parts: parts as Record<string, Part> });
  expect(played.status).toBe("error");
  expect(played.reason).toMatch(/^ERROR: \S/);
  expect(report(played).result).toBe(played.reason);
  expect(report(played).result).not.toMatch(/^NEEDS_REVISION/);
});

test("[C-40] the unresolved issues are named", async () => {
  const played = await play({ parts: { "r-quality": writes(MAJOR) } });
  expect(played.reason).toContain("ERROR: unresolved: ");
  expect(played.reason).toContain("greets nobody (src/01-greet.ts)");
});

test("if a person sends the work back at the commit, its implementers fix it and it is reviewed again", async () => {
  const answers = [{ choice: "revise", note: "Show it with a test." }, "accept"];
  let turn = 0;
  const implementer: Part = (request) => builds(`export const turn = ${++turn};`)(request);
  const parts = { planner: plans({ "01-greet": { kind: "fix" } }), implementer };
  const played = await play({ parts, answers });
  expect(played.status).toBe("done");
  expect(JSON.stringify(inputsOf(played, "implementer").at(-1))).toContain("Show it with a test.");
  expect(sentTo(played, "r-quality")).toHaveLength(2);
  const revises = questions(played).map((question) => question.revises);
  expect(revises.slice(-2)).toEqual(["revise", "revise"]);
  expect(commits(played)).toHaveLength(1);
});

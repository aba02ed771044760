import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { Json } from "../../src/core/text/json.ts";
import { type CommandEnd, lastEvent, makeScene, type Scene } from "../cli/scene.ts";
import { world } from "../worlds/roadmap.ts";
import { createItem } from "./paper.ts";

type Stage = Scene & {
  run(...args: readonly string[]): Promise<CommandEnd>;
  /** The roadmap in the checkout. */
  roadmap(): { items: Record<string, unknown>[] };
  setRoadmap(items: readonly object[]): string;
  play(...rules: readonly Json[]): void;
};

/** Uses the repository and the agents of the shared world; rules of a test come first. */
function scene(): Stage {
  const made = makeScene();
  for (const [path, text] of Object.entries(world.files)) made.put(path, text);
  made.put(".signalbox/config.yaml", world.config);
  made.git("add", "--all");
  made.git("commit", "-qm", "a roadmap");
  const play = (...rules: readonly Json[]): void =>
    writeFileSync(made.agents, stringify({ agents: [...rules, ...world.agents] }));
  play();
  return {
    ...made,
    play,
    run: (...args) => made.signalbox("run", "roadmap", "--json", "--agents", made.agents, ...args),
    roadmap: () => JSON.parse(readFileSync(join(made.repo, "roadmap.json"), "utf8")),
    setRoadmap: (items) => {
      const text = JSON.stringify({ items }, null, "\t");
      made.put("roadmap.json", text);
      return text;
    },
  };
}
const statuses = ({ roadmap }: Stage) => roadmap().items.map((each) => each["status"]);
const runOf = (ended: CommandEnd): string => String(lastEvent(ended)["run"]);
const SIMPLE = createItem(2, { title: "Start", acceptanceCriteria: ["it starts"] });

test("a whole roadmap is completed on its own branch; the user's branch and files stay unchanged", async () => {
  const stage = scene();
  const ended = await stage.run("--approvals", "autonomous");
  expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "done", exit: 0, reason: "COMPLETE" });
  expect(statuses(stage)).toEqual(["done", "done", "done"]);
  const branch = `signalbox/${runOf(ended)}`;
  expect(stage.git("log", "--format=%s", `main..${branch}`).trim().split("\n")).toEqual([
    "Search notes",
    "chore: scaffold the project from docs/adr/ADR-001-notes.md",
    "docs: record the decision in docs/adr/ADR-001-notes.md",
  ]);
  for (const path of world.keeps) expect(stage.git("cat-file", "-t", `${branch}:${path}`).trim()).toBe("blob");
  expect(stage.git("log", "-1", "--format=%s", "main").trim()).toBe("a roadmap");
  expect(stage.git("status", "--porcelain").trim()).toBe("M roadmap.json");
  const report = readFileSync(join(stage.repo, ".signalbox/iterations/roadmap/3.md"), "utf8");
  expect(report).toContain("Agent signatures: Research: matches, Architect (design): matches, Implement: unsigned");
}, 300_000);

test("a repository with its own agents and signatures runs unchanged", async () => {
  const stage = scene();
  const signed = { Research: "OAK_RIVER", Architect: "PINE_CLOUD", Testing: "ASH_STONE", Review: "ELM_WIND" };
  for (const [name, value] of Object.entries({ ...signed, Implement: undefined })) {
    const head = `---\nname: ${name}\ndescription: as our team has it\n---\n\nYou are ${name} of our team.\n`;
    const line = value === undefined ? "" : `\n- SIGNED_VALUE: \`${value}\`\n`;
    stage.put(`.github/agents/${name.toLowerCase()}.agent.md`, `${head}${line}`);
  }
  const { roles } = JSON.parse((await stage.signalbox("agents", "list", "roadmap", "--json")).out);
  expect(roles.map(({ from }: { from: string }) => from.split("/")[1])).toEqual(Array(5).fill("agents"));
  const ended = await stage.run("--approvals", "autonomous");
  expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "done", exit: 0, reason: "COMPLETE" });
  const { out } = await stage.signalbox("logs", "--prompt", "");
  for (const [name, value] of Object.entries(signed)) {
    expect(out).toContain(`You are ${name} of our team.`);
    expect(out).toContain(value);
  }
}, 300_000);

test("an invalid roadmap is refused with every error and exit 3, and stays byte for byte", async () => {
  const stage = scene();
  const text = stage.setRoadmap([createItem(1, { priority: "high" as never }), createItem(2, { dependencies: [9] })]);
  const ended = await stage.signalbox("run", "roadmap", "--agents", stage.agents);
  expect(ended.exit).toBe(3);
  expect(ended.out).toContain('roadmap.json: item 1 "Item 1": priority: expected number, found "high"');
  expect(ended.out).toContain('item 2 "Item 2": dependencies: expected ids of items, found 9, which no item has');
  expect(readFileSync(join(stage.repo, "roadmap.json"), "utf8")).toBe(text);
}, 30_000);

test("[A-10] interactive mode parks between items with exit 3; an external answer resumes the run", async () => {
  const stage = scene();
  stage.setRoadmap([createItem(1, { title: "Architect (design)" }), { ...SIMPLE, status: "ready" }]);
  const parked = await stage.run();
  expect(lastEvent(parked)).toMatchObject({ type: "run.suspended", status: "waiting", exit: 3 });
  expect(statuses(stage)).toEqual(["done", "ready"]);
  const asked = parked.events.find(({ type }) => type === "approval.requested");
  await stage.signalbox("approve", String(asked?.["approval"]), "--choose", "continue");
  const resumed = await stage.signalbox("resume", "--json", "--agents", stage.agents);
  expect(lastEvent(resumed)).toMatchObject({ status: "done", reason: "COMPLETE" });
  expect(statuses(stage)).toEqual(["done", "done"]);
}, 300_000);

test("[R-43] a wrong signature blocks; the work so far is pinned, on no branch, and only its own item continues from it", async () => {
  const stage = scene();
  stage.setRoadmap([SIMPLE]);
  stage.play({
    role: "Testing",
    do: [{ misbehave: "wrong-signature" }],
    output: { status: "success", evidence: ["x"] },
  });
  const first = await stage.run();
  expect(lastEvent(first)).toMatchObject({ status: "blocked", exit: 3 });
  expect(stage.roadmap().items[0]).toMatchObject({ blockedBy: "Testing", blockedCategory: "signature_mismatch" });
  const built = first.events.find(({ type, role }) => type === "agent.finished" && role === "Implement")?.["after"];
  const refs = stage.git("for-each-ref", "--format=%(objectname) %(refname)").trim().split("\n");
  expect(refs.filter((ref) => ref.startsWith(String(built))).join()).toContain(`refs/signalbox/${runOf(first)}/`);
  expect(refs.join()).not.toContain("refs/heads/signalbox");

  stage.setRoadmap([createItem(4, { title: "Other", priority: 0 }), SIMPLE]);
  const probe = { run: "ls src > tests.txt 2>/dev/null; mkdir -p src; mv tests.txt src/seen.txt" };
  const output = { status: "success", evidence: ["x"], files: ["src/seen.txt"] };
  stage.play({ role: "Implement", do: [probe], output }, { role: "Testing", output: { ...output, files: [] } });
  const second = await stage.run("--approvals", "autonomous");
  expect(lastEvent(second)).toMatchObject({ status: "done" });
  const seen = (at: string) => stage.git("show", `signalbox/${runOf(second)}${at}:src/seen.txt`);
  expect([seen("~1"), seen("")]).toEqual(["", "app.mjs\nseen.txt\n"]);
}, 300_000);

test("a later run continues from the work of done items that is not landed", async () => {
  const stage = scene();
  stage.setRoadmap([SIMPLE, createItem(3, { title: "Search", status: "blocked" })]);
  const first = await stage.run();
  expect(lastEvent(first)).toMatchObject({ status: "stalled", exit: 3 });
  writeFileSync(join(stage.repo, "roadmap.json"), JSON.stringify(stage.roadmap()).replace("blocked", "ready"));
  const second = await stage.run();
  expect(lastEvent(second)).toMatchObject({ status: "done" });
  const log = stage
    .git("log", "--format=%s", `main..signalbox/${runOf(second)}`)
    .trim()
    .split("\n");
  expect(log).toEqual(["Search", "Start"]);
  expect(stage.git("ls-tree", "--name-only", `signalbox/${runOf(second)}`, "src/")).toContain("src/app.mjs");
}, 300_000);

test("work that conflicts with the user's later commits stops the next run before any dispatch", async () => {
  const stage = scene();
  stage.setRoadmap([SIMPLE, createItem(3, { title: "Search", status: "blocked" })]);
  await stage.run();
  writeFileSync(join(stage.repo, "roadmap.json"), JSON.stringify(stage.roadmap()).replace("blocked", "ready"));
  const commit = (path: string): void => {
    stage.put(path, "export const mine = 1;\n");
    stage.git("add", path);
    stage.git("commit", "-qm", path);
  };
  commit("src/app.mjs");
  const stopped = await stage.run();
  expect(lastEvent(stopped)).toMatchObject({ status: "blocked", exit: 3 });
  expect(lastEvent(stopped)["reason"]).toContain("conflicts with main in src/app.mjs");
  expect(stopped.events.filter(({ type }) => type === "agent.started")).toEqual([]);
  stage.git("rm", "-q", "src/app.mjs");
  stage.git("commit", "-qm", "after all not");
  commit("other.mjs");
  const merged = await stage.run();
  expect(lastEvent(merged)).toMatchObject({ status: "done" });
  const files = stage.git("ls-tree", "-r", "--name-only", `signalbox/${runOf(merged)}`).split("\n");
  expect(files).toEqual(expect.arrayContaining(["other.mjs", "src/app.mjs", "src/search.mjs"]));
}, 300_000);

test("[R-30] a definition of a named agent without a SIGNED_VALUE is refused before the run starts", async () => {
  const stage = scene();
  stage.put(".github/agents/review.agent.md", "---\nname: Review\n---\n\nYou review.\n");
  const ended = await stage.run();
  expect(ended.exit).toBe(2);
  expect(lastEvent(ended)).toMatchObject({ type: "error", message: expect.stringContaining("review.agent.md") });
  expect(lastEvent(ended)["message"]).toContain("SIGNED_VALUE");
  expect(statuses(stage)).toEqual(["ready", "ready", "ready"]);
}, 30_000);

test.each(["with its engine", "after its engine was killed"])(
  "[R-29] an item of a run that is canceled %s is ready again, unless a person has changed the file since",
  async (how) => {
    for (const edited of [false, true]) {
      const stage = scene();
      stage.setRoadmap([SIMPLE]);
      stage.play({ role: "Implement", attempt: 1, do: [{ misbehave: "hang" }] });
      const talk = stage.start("run", "roadmap", "--json", "--agents", stage.agents);
      await talk.heard("agent.started");
      expect(statuses(stage)).toEqual(["in_progress"]);
      const file = join(stage.repo, "roadmap.json");
      if (edited) writeFileSync(file, `${readFileSync(file, "utf8")}\n`);
      if (how !== "with its engine") talk.kill("SIGKILL");
      if (how !== "with its engine") await talk.ended;
      expect((await stage.signalbox("cancel")).exit).toBe(0);
      await talk.ended;
      expect(statuses(stage)).toEqual([edited ? "in_progress" : "ready"]);
    }
  },
  60_000,
);

test("[A-17] a killed run that is resumed continues its item, and nothing is done twice", async () => {
  const stage = scene();
  stage.setRoadmap([SIMPLE]);
  stage.play({ role: "Implement", attempt: 1, do: [{ misbehave: "hang" }] });
  const talk = stage.start("run", "roadmap", "--json", "--agents", stage.agents);
  await talk.heard("agent.started");
  talk.kill("SIGKILL");
  await talk.ended;
  expect(statuses(stage)).toEqual(["in_progress"]);
  const resumed = await stage.signalbox("resume", "--json", "--agents", stage.agents);
  expect(lastEvent(resumed)).toMatchObject({ status: "done", reason: "COMPLETE" });
  const all = await stage.signalbox("events", "--json");
  const tries = all.events.filter(({ type }) => type === "agent.started").map(({ role, attempt }) => [role, attempt]);
  expect(tries).toEqual([
    ["Implement", 1],
    ["Implement", 2],
    ["Testing", 1],
    ["Review", 1],
  ]);
}, 300_000);

test("[A-33] a blocked run is restarted from one of its phases, and the new run owns its item", async () => {
  const stage = scene();
  stage.setRoadmap([SIMPLE]);
  const output = {
    status: "blocked",
    evidence: ["1 failed"],
    failures: ["starts"],
    blockedReason: "it does not start",
  };
  stage.play({ role: "Testing", output });
  const first = await stage.run();
  expect(stage.roadmap().items[0]).toMatchObject({ status: "blocked", blockedBy: "Testing" });
  stage.play();
  const second = await stage.run("--from", `${runOf(first)}:Testing`);
  expect(lastEvent(second)).toMatchObject({ status: "done", reason: "COMPLETE" });
  expect(statuses(stage)).toEqual(["done"]);
  expect(stage.roadmap().items[0]).not.toHaveProperty("blockedBy");
  const began = second.events.findIndex(({ type }) => type === "engine.started");
  const asked = second.events.slice(began).filter(({ type }) => type === "agent.started");
  expect(asked.map(({ role }) => role)).toEqual(["Testing", "Review"]);
  const memory = readFileSync(join(stage.repo, ".signalbox/memory/roadmap.json"), "utf8");
  expect(memory).toContain(`signalbox/${runOf(second)}`);
  expect(memory).not.toContain(runOf(first));
}, 300_000);

test("land and revert state that the items' states are in their own file, and how to land or revert them", async () => {
  const stage = scene();
  const run = runOf(await stage.run("--approvals", "autonomous"));
  const landed = await stage.signalbox("land", run);
  expect(landed.out).toContain("roadmap.json in your checkout has the new item states, which are not committed");
  expect(landed.out).toContain('next: git commit -m "Mark items as done" -- roadmap.json');
  const uncommitted = await stage.signalbox("revert", run);
  expect(uncommitted.out).toContain("roadmap.json still has the item states that the run wrote");
  expect(uncommitted.out).toContain("next: git restore -- roadmap.json");
  expect(statuses(stage)).toEqual(["done", "done", "done"]);
  stage.git("restore", "--", "roadmap.json");
  expect(statuses(stage)).toEqual(["ready", "ready", "ready"]);
}, 300_000);

test("land does not mention a file whose states are committed, and revert edits it", async () => {
  const stage = scene();
  const run = runOf(await stage.run("--approvals", "autonomous"));
  stage.git("commit", "-qam", "what is done");
  expect((await stage.signalbox("land", run)).out).not.toContain("new states");
  const reverted = await stage.signalbox("revert", run);
  expect(reverted.out).toContain('next: set "status" of those items to "ready" in roadmap.json');
  expect(reverted.out).not.toContain("git restore");
}, 300_000);

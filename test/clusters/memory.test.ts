import { expect, test } from "vitest";
import {
  builds,
  errs,
  FOLDER,
  first,
  inputsOf,
  memorySeen,
  type Part,
  plans,
  play,
  report,
  revise,
  section,
  writes,
} from "./paper.ts";

const withMemory = (text: string): string => `# Report\n\nAll is well.\n\n## Memory\n\n- ${text}\n`;
const MAJOR = "- [Major] greets nobody (src/01-greet.ts)\n";

/** Writes its own files and its own memory file. */
const writeForeignMemory: Part = (request) => {
  const played = writes()(request);
  const files = "files" in played ? played.files : {};
  return { contract: { line: "DONE", message: "x" }, files: { ...files, [`${FOLDER}/memory.md`]: "mine\n" } };
};

test.each(["spec", "ct-security", "v-aggregator"])(
  "[C-19] memory.md written by %s is discarded, and is a violation",
  async (name) => {
    const played = await play({ parts: { [name]: writeForeignMemory } });
    expect(played.files["memory.md"]).not.toContain("mine");
    expect(report(played).violations).toEqual([expect.stringContaining(`${name}: ${FOLDER}/memory.md`)]);
    expect(played.status).toBe("done");
  },
);

test("[A-01] so is memory.md written by an implementer", async () => {
  const both: Part = (request) => {
    const played = builds("x")(request);
    const files = "files" in played ? played.files : {};
    return { contract: { line: "DONE", message: "x" }, files: { ...files, [`${FOLDER}/memory.md`]: "mine\n" } };
  };
  const played = await play({ parts: { implementer: both, planner: plans({ a: {} }) } });
  expect(played.files["memory.md"]).not.toContain("mine");
  expect(report(played).violations).toEqual([expect.stringContaining("memory.md")]);
});

test("[C-19] the engine writes entries of agents that work alone, and the next agent reads them", async () => {
  const played = await play({ parts: { spec: writes(withMemory("names are optional")) } });
  expect(memorySeen(played, "spec")).not.toContain("names are optional");
  expect(section(memorySeen(played, "designer"), "Recent Decisions")).toContain("- [spec, step-2] names are optional");
});

test.each(["ct-security", "researcher-impact", "v-tests", "r-knowledge"])(
  "[C-19] an entry of %s, which runs in parallel with others, is refused",
  async (name) => {
    const played = await play({ parts: { [name]: writes(withMemory("trust me")) } });
    expect(played.files["memory.md"]).not.toContain("trust me");
    expect(report(played).warnings).toContainEqual(`${name} is no writer of the memory: entry refused`);
    expect(played.status).toBe("done");
  },
);

test("[C-20] after steps 1.2, 2 and 4 decisions and updates older than two steps are removed", async () => {
  const played = await play();
  const steps = (name: string) =>
    [...new Set([...memorySeen(played, name).matchAll(/^- .*?, step-(\w+)\]/gm)].map(([, step]) => step))].sort();
  expect(steps("spec")).toEqual(["1"]);
  expect(steps("designer")).toEqual(["1", "2"]);
  // Nothing is pruned between the design and its review.
  expect(steps("planner")).toEqual(["1", "2", "3", "3b"]);
  expect(steps("01-greet")).toEqual(["3b", "4"]);
});

test("[C-20] the index and the lessons are never pruned", async () => {
  const played = await play({ parts: { researcher: writes(withMemory("slow search → use the index")) } });
  const memory = played.files["memory.md"] ?? "";
  for (const file of ["analysis.md", "feature.md", "design.md", "plan.md", "verifier.md", "review.md"]) {
    expect(section(memory, "Artifact Index")).toContain(`| ${FOLDER}/${file} |`);
  }
  expect(section(memory, "Lessons Learned")).toContain("[researcher, step-1] slow search → use the index");
  expect(section(memory, "Recent Decisions")).not.toContain("step-1]");
});

const HIGH = "- [High] names are evaluated as code\n";

test("[C-21] a revision marks the affected entries first, and removes the ones not replaced afterwards", async () => {
  const rounds: Part = (request) => writes(withMemory(`design of round ${request.round}`))(request);
  const played = await play({ parts: { designer: rounds, "ct-security": first(writes(HIGH)) } });
  const before = memorySeen(played, "designer", 1);
  expect(before).toContain("- [INVALIDATED — the design is revised] [designer, step-3] design of round 1");
  expect(before).toContain("- [INVALIDATED — the design is revised] [ct-aggregator, step-3b]");
  expect(before).toContain("- [spec, step-2]");
  const after = memorySeen(played, "ct-strategy", 1);
  expect(after).not.toContain("INVALIDATED");
  expect(after).not.toContain("design of round 1");
  expect(after).toContain("- [designer, step-3] design of round 2");
});

test("[C-21] the same happens when a person sends a step back", async () => {
  const answers = [{ choice: "refuse", note: "again" }, "proceed", "proceed"];
  const played = await play({ approvals: "interactive", answers });
  const synthesis = inputsOf(played, "researcher").findLastIndex((input) => input["mode"] === "synthesis");
  expect(memorySeen(played, "researcher", synthesis)).toContain(
    "[INVALIDATED — a person sent it back] [researcher, step-1]",
  );
  expect(memorySeen(played, "spec")).not.toContain("INVALIDATED");
});

test("[C-22] before the next wave starts, every lesson of the finished tasks is in the memory once", async () => {
  const lessons: Part = (request) => ({
    ...builds("x")(request),
    contract: {
      line: "DONE",
      message: "built; slow build → cached it",
      above: `I worked.\n\n- red test → fixed the import\n- ${request.task} was odd → renamed it\nNothing else.`,
    },
  });
  const tasks = { a: {}, b: {}, c: { depends_on: ["a"] } };
  const played = await play({ parts: { planner: plans(tasks), implementer: lessons } });
  const learned = section(memorySeen(played, "c"), "Lessons Learned").split("\n");
  expect(learned).toEqual([
    "- [implementer, step-5] red test → fixed the import",
    "- [implementer, step-5] a was odd → renamed it",
    "- [implementer, step-5] slow build → cached it",
    "- [implementer, step-5] b was odd → renamed it",
  ]);
  expect(memorySeen(played, "b")).not.toContain("→");
});

test("[C-23] a memory that cannot be written is a warning and blocks nothing", async () => {
  const played = await play({
    perform: (effect, paper) => {
      if (effect.kind === "write" && effect.request.path.endsWith("memory.md")) throw new Error("the disk is full");
      return paper(effect);
    },
  });
  expect(played.status).toBe("done");
  expect(report(played).warnings).toContainEqual(
    expect.stringMatching(/memory\.md could not be written: .*disk is full/),
  );
});

test.each(["researcher", "spec", "designer", "ct-aggregator", "v-aggregator", "r-aggregator"])(
  "[C-28] %s without an entry is a warning, never a block",
  async (name) => {
    const played = await play({ parts: { [name]: writes("# Report\n\nAll is well.\n") } });
    expect(report(played).warnings).toEqual([expect.stringMatching(`^${name} handed over no memory entry in step `)]);
    expect(played.status).toBe("done");
  },
);

test("[C-28] agents that run in parallel need no entries", async () => {
  expect(report(await play()).warnings).toEqual([]);
});

const DOCS = { a: { agent: "documentation-writer", files: ["docs/guide.md"] }, b: { depends_on: ["a"] } };

test("[C-35] a documentation-writer's files get index entries and a line before the next wave", async () => {
  const played = await play({
    parts: {
      planner: plans(DOCS),
      "documentation-writer": builds("# Guide\n\n## Use\n\n## Limits", "a guide for users"),
    },
  });
  const seen = memorySeen(played, "b");
  expect(section(seen, "Artifact Index")).toContain("| docs/guide.md | Use, Limits | documentation-writer |");
  expect(section(seen, "Recent Updates")).toContain(
    "- [documentation-writer, step-5] Updated `docs/guide.md` — a guide for users",
  );
  expect(memorySeen(played, "a")).not.toContain("docs/guide.md");
});

test("[C-41] every entry is a list item with agent and step", async () => {
  const { files } = await play({ parts: { "v-tests": first(revise(MAJOR)) } });
  const memory = files["memory.md"] ?? "";
  const lines = ["Recent Decisions", "Lessons Learned", "Recent Updates"].flatMap((title) =>
    section(memory, title).split("\n").filter(Boolean),
  );
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toMatch(/^- (\[INVALIDATED — [^\]]+\] )?\[[a-z-]+, step-[0-9]b?\] \S/);
});

test("[C-42] the entries of a verification are marked before its next round, and removed after it", async () => {
  const played = await play({ parts: { "v-tests": first(revise(MAJOR)) } });
  expect(memorySeen(played, "planner", 1)).toContain("- [INVALIDATED — verification failed] [v-aggregator, step-6]");
  expect(memorySeen(played, "v-build", 1)).not.toContain("v-aggregator, step-6");
  expect(memorySeen(played, "r-quality")).toContain(
    "- [v-aggregator, step-6] v-aggregator decided something in round 2",
  );
});

test("[C-42] they are also marked before verification restarts after a review", async () => {
  const until: Part = (request) => (request.round === 1 ? errs() : writes()(request));
  const played = await play({ parts: { "r-security": until } });
  const seen = memorySeen(played, "planner", 1);
  expect(seen).toContain("- [INVALIDATED — verification starts again] [v-aggregator, step-6]");
  expect(seen).toContain("- [INVALIDATED — the review did not pass] [r-aggregator, step-7]");
  expect(memorySeen(played, "v-build", 1)).not.toContain("INVALIDATED");
});

test("[C-42] a failing task marks the entries of its step as invalid", async () => {
  const tasks = { ...DOCS, b: {} };
  const played = await play({
    parts: { planner: plans(tasks, { z: {} }), implementer: (r) => (r.task === "b" ? errs() : builds("x")(r)) },
  });
  expect(memorySeen(played, "v-build")).toContain("- [INVALIDATED — b failed] [documentation-writer, step-5]");
});

test("[C-42] a failing aggregator marks the entries of its step as invalid", async () => {
  const fails: Part = (request) => (request.round === 1 ? errs() : writes()(request));
  const played = await play({ parts: { "r-aggregator": fails, "r-quality": first(writes(MAJOR)) } });
  expect(played.status).toBe("done");
  const objecting = await play({ parts: { "r-aggregator": first(revise()) } });
  const fix = objecting.sent.findIndex(({ role, round }) => role === "implementer" && round === 2);
  const seen = objecting.sent[fix]?.rendered.find(({ path }) => path.endsWith("memory.md"))?.text;
  expect(seen).toContain("- [INVALIDATED — the review did not pass] [r-aggregator, step-7]");
});

import { expect, test } from "vitest";
import { ADR, blocked, createItem, inputOf, itemOf, NO_RESEARCH, PARTS, play, says, steps, success } from "./paper.ts";

const PLANNED = { ...NO_RESEARCH, patterns: ["stores are modules"], openDecisions: ["which format?"] };
const selectContext = (each: ReturnType<typeof createItem>) => {
  const { id, title, complexity, acceptanceCriteria, verification, dependencies } = each;
  return { id, title, complexity, acceptanceCriteria, verification, dependencies };
};
const design = { status: "success", mode: "design", adrPath: ADR, interfaces: ["Store.put"], learnings: [] };
const found = { status: "success", evidence: ["src/store.ts:1 keeps notes"], learnings: ["notes are JSON"] };
const built = {
  status: "success",
  files: [{ path: "src/item-1.ts", description: "the item" }],
  learnings: [],
};

test("[R-05] a simple item runs Implement, Testing and Review", async () => {
  expect(steps(await play())).toEqual(["Implement", "Testing", "Review"]);
});

test("[R-06] a medium item runs Research, Architect, Implement, Testing and Review", async () => {
  const played = await play({ items: [createItem(1, { complexity: "medium" })] });
  expect(steps(played)).toEqual(["Research", "Architect (design)", "Implement", "Testing", "Review"]);
});

test("[R-07] a complex item also runs Architect validation between Implement and Testing", async () => {
  const played = await play({ items: [createItem(1, { complexity: "complex" })] });
  const route = ["Research", "Architect (design)", "Implement", "Architect (validation)", "Testing", "Review"];
  expect(steps(played)).toEqual(route);
});

test("[R-08] each agent of a complex item gets the item and exactly the inputs that the table lists for it", async () => {
  const one = createItem(1, {
    complexity: "complex",
    verification: ["make test", "look at the page"],
    dependencies: [],
  });
  const played = await play({ items: [one] });
  const base = { item: selectContext(one), learnings: [] };
  expect(inputOf(played, "Research")).toEqual(base);
  expect(inputOf(played, "Architect (design)")).toEqual({ ...base, mode: "design", research: found });
  expect(inputOf(played, "Implement")).toEqual({ ...base, research: found, design });
  expect(inputOf(played, "Architect (validation)")).toEqual({
    ...base,
    mode: "validation",
    design,
    implementation: built,
  });
  const evidence = ["item 1 is built"];
  const diff = [`added ${ADR}`, "added src/item-1.ts"];
  expect(inputOf(played, "Testing")).toEqual({
    ...base,
    implementation: { ...built, evidence },
    diff: diff.join("\n"),
  });
  const plain = (path: string) => ({ path, description: "" });
  const files = [plain(ADR), ...built.files, plain("test/item-1.test.ts")];
  expect(inputOf(played, "Review")).toEqual({
    ...base,
    implementation: { ...built, files },
    testing: { status: "success", evidence: ["3 tests passed"], failures: [] },
    verification: {
      ran: [
        { command: "make build", passed: true },
        { command: "make test", passed: true, named: true },
        { command: "make lint", passed: true },
      ],
      notRun: ["look at the page"],
    },
    diff: [...diff, "added test/item-1.test.ts"].join("\n"),
  });
});

test("[R-08] the agents of a simple item get only the item and the results before them", async () => {
  const played = await play();
  expect(Object.keys(inputOf(played, "Implement"))).toEqual(["item", "learnings"]);
  expect(Object.keys(inputOf(played, "Testing"))).toEqual(["item", "learnings", "implementation", "diff"]);
});

test("[R-09] every dispatch has all learnings, including those of earlier items of this run", async () => {
  const old = { itemId: 0, learning: "be brief" };
  const text = JSON.stringify({
    items: [createItem(1, { complexity: "medium" }), createItem(2, { complexity: "complex" })],
    learnings: [old],
  });
  const played = await play({ text });
  const learnings = played.sent.map(({ input }) => (input as { learnings: unknown }).learnings);
  const added = { itemId: 1, learning: "notes are JSON" };
  expect(learnings).toEqual([...Array(5).fill([old]), ...Array(6).fill([old, added])]);
});

test("[R-09] learnings of a bare list, which cannot store them, are still sent, in this run and in the next", async () => {
  const text = JSON.stringify([
    createItem(1, { complexity: "medium" }),
    createItem(2),
    createItem(3, { status: "blocked" }),
  ]);
  const played = await play({ text });
  const added = { itemId: 1, learning: "notes are JSON" };
  expect(played.sent.at(-1)?.input).toMatchObject({ learnings: [added] });
  expect(JSON.parse(played.checkout.get("roadmap.json") ?? "")).toBeInstanceOf(Array);
  played.checkout.set("roadmap.json", (played.checkout.get("roadmap.json") ?? "").replace("blocked", "ready"));
  const next = await play({ checkout: played.checkout });
  expect(inputOf(next, "Implement")["learnings"]).toEqual([added]);
});

test("[R-10] a design item runs the Architect alone in design mode and is done with its ADR", async () => {
  const played = await play({ items: [createItem(1, { title: "Architect (design)", complexity: "complex" })] });
  expect(steps(played)).toEqual(["Architect (design)"]);
  expect(inputOf(played, "Architect (design)")["mode"]).toBe("design");
  expect(itemOf(played, 1)["status"]).toBe("done");
});

test.each([
  ["that is blocked", says({ ...blocked, mode: "design" })],
  ["whose ADR is not in the tree", says({ ...success, mode: "design", adr: ADR })],
  ["whose ADR is empty", says({ ...success, mode: "design", adr: ADR }, { [ADR]: " \n" })],
  ["that names no ADR", says({ ...success, mode: "design" }, { [ADR]: "# Store\n" })],
  ["that answers in the other mode", says({ ...success, mode: "validation", adr: ADR }, { [ADR]: "# Store\n" })],
])("[R-10] a design item %s is blocked", async (_how, architect) => {
  const played = await play({
    items: [createItem(1, { title: "Architect (design)" })],
    parts: { Architect: architect },
  });
  expect(itemOf(played, 1)).toMatchObject({ status: "blocked", blockedBy: "Architect" });
  expect(steps(played)).toEqual(["Architect (design)"]);
});

const GREENFIELD = [
  createItem(1, { title: "Architect (design)" }),
  createItem(2, { title: "Scaffold project from ADR", complexity: "complex", dependencies: [1] }),
];

test("[R-11] a scaffold item runs Implement with the ADR path, Testing and Review, whatever its complexity", async () => {
  const played = await play({ items: GREENFIELD });
  expect(steps(played)).toEqual(["Architect (design)", "Implement", "Testing", "Review"]);
  expect(inputOf(played, "Implement")["design"]).toEqual({ adrPath: ADR });
});

test("[R-40] the ADR is that of the design item, even if another run wrote it and there are more now", async () => {
  const [first, second] = GREENFIELD;
  const early = await play({ items: [first as object, { ...second, status: "blocked" }] });
  expect(early.status).toBe("stalled");
  early.checkout.set("roadmap.json", (early.checkout.get("roadmap.json") ?? "").replace('"blocked"', '"ready"'));
  const base = { [ADR]: "# Store\n", "docs/adr/ADR-002.md": "# Later\n" };
  const played = await play({ checkout: early.checkout, base });
  expect(inputOf(played, "Implement")["design"]).toEqual({ adrPath: ADR });
});

test.each([
  ["no design item is among its dependencies", [createItem(2, { title: "Scaffold project from ADR" })]],
  ["the ADR is not there", [createItem(1, { title: "Architect (design)", status: "done" }), GREENFIELD[1] as object]],
])("[R-40] a scaffold item is blocked before any dispatch when %s", async (_why, items) => {
  const played = await play({ items });
  expect(played).toMatchObject({ status: "blocked", exit: 3 });
  expect(played.sent).toEqual([]);
  expect(itemOf(played, 2)).toMatchObject({
    status: "blocked",
    blockedBy: "Implement",
    blockedReason: expect.any(String),
  });
});

test("[R-41] a title that only contains a greenfield title is an ordinary title", async () => {
  const played = await play({ items: [createItem(1, { title: "Architect (design) of the store" })] });
  expect(steps(played)).toEqual(["Implement", "Testing", "Review"]);
});

test("[R-12] planning research with content skips Research and goes straight to the Architect", async () => {
  const played = await play({ items: [createItem(1, { complexity: "medium", planningResearch: PLANNED })] });
  expect(steps(played)[0]).toBe("Architect (design)");
  expect(inputOf(played, "Architect (design)")["research"]).toEqual(PLANNED);
});

test("[R-12] a complex item runs Research anyway, and the Architect still gets the open decisions", async () => {
  const played = await play({ items: [createItem(1, { complexity: "complex", planningResearch: PLANNED })] });
  expect(inputOf(played, "Research")["planningResearch"]).toEqual(PLANNED);
  const { item: _item, learnings: _learnings, ...rest } = inputOf(played, "Architect (design)");
  expect(rest).toEqual({ mode: "design", research: found, openDecisions: ["which format?"] });
});

test("[R-37] if Research was skipped, Implement gets the planning research instead of its findings", async () => {
  const medium = await play({ items: [createItem(1, { complexity: "medium", planningResearch: PLANNED })] });
  expect(inputOf(medium, "Implement")["research"]).toEqual(PLANNED);
  const simple = await play({ items: [createItem(1, { planningResearch: PLANNED })] });
  expect(steps(simple)).toEqual(["Implement", "Testing", "Review"]);
  expect(inputOf(simple, "Implement")["research"]).toEqual(PLANNED);
});

test("[R-37] five empty lists count as no planning research", async () => {
  const played = await play({ items: [createItem(1, { complexity: "medium", planningResearch: NO_RESEARCH })] });
  expect(steps(played)[0]).toBe("Research");
  expect(inputOf(played, "Research")).not.toHaveProperty("planningResearch");
});

test("[R-13] Research is asked only about changed criteria, in the run that first sees them changed", async () => {
  const one = createItem(1, {
    complexity: "medium",
    planningResearch: PLANNED,
    acceptanceCriteria: ["saves", "loads"],
  });
  const first = await play({ items: [one], parts: { Architect: says({ ...blocked, mode: "design" }) } });
  expect(steps(first)).toEqual(["Architect (design)"]);
  const changed = { ...one, acceptanceCriteria: ["saves", "loads in order"] };
  first.checkout.set("roadmap.json", JSON.stringify({ items: [changed] }));
  const second = await play({ checkout: first.checkout });
  expect(steps(second)[0]).toBe("Research");
  expect(inputOf(second, "Research")).toMatchObject({ gaps: ["loads in order"], planningResearch: PLANNED });
  expect(inputOf(second, "Architect (design)")).toMatchObject({ research: found, planningResearch: PLANNED });
});

test("[R-13] if the planning research is new too, there is no question left", async () => {
  const one = createItem(1, { complexity: "medium", planningResearch: PLANNED });
  const first = await play({ items: [one], parts: { Architect: says({ ...blocked, mode: "design" }) } });
  const planned = { ...PLANNED, risks: ["two writers"] };
  first.checkout.set(
    "roadmap.json",
    JSON.stringify({ items: [{ ...one, title: "Store notes safely", planningResearch: planned }] }),
  );
  expect(steps(await play({ checkout: first.checkout }))[0]).toBe("Architect (design)");
});

test("[R-14] validation gets the ADR and the modified files; drift blocks the item before Testing", async () => {
  const drift = { ...blocked, mode: "validation", evidence: ["src/item-1.ts writes without the store"] };
  const parts = {
    Architect: (request: Parameters<(typeof PARTS)["Architect"]>[0]) =>
      request.instance === "Architect (design)" ? PARTS["Architect"]?.(request) : { contract: drift },
  };
  const played = await play({ items: [createItem(1, { complexity: "complex" })], parts: parts as never });
  expect(steps(played).at(-1)).toBe("Architect (validation)");
  expect(inputOf(played, "Architect (validation)")).toMatchObject({ design: { adrPath: ADR }, implementation: built });
  expect(itemOf(played, 1)).toMatchObject({
    status: "blocked",
    blockedBy: "Architect",
    blockedCategory: "drift_detected",
  });
});

test("[R-39] the files that Implement lists are compared with the changed ones; the others get the changed ones", async () => {
  const files = ["src/item-1.ts — the item", "src/ghost.ts — never made"];
  const implement = says({ ...success, files }, { "src/item-1.ts": "a\n", "src/extra.ts": "b\n" });
  const played = await play({ parts: { Implement: implement } });
  expect(inputOf(played, "Testing")["implementation"]).toMatchObject({
    files: [
      { path: "src/extra.ts", description: "" },
      { path: "src/item-1.ts", description: "the item" },
    ],
  });
  const findings = (
    played.records.flatMap((each) => (each.type === "step.finished" ? [each.value] : [])) as never[]
  ).flatMap((value: { findings?: { message: string }[] } | undefined) => value?.findings ?? []);
  expect(findings.map(({ message }) => message)).toEqual([
    "Implement lists a file that it did not change: src/ghost.ts",
    "Implement changed a file that it does not list: src/extra.ts",
  ]);
});

test("[A-01] an agent's own version of the roadmap is discarded, and that is a finding", async () => {
  const files = { "src/item-1.ts": "a\n", "roadmap.json": "[]", ".signalbox/memory/roadmap.json": "{}" };
  const played = await play({ parts: { Implement: says({ ...success, files: ["src/item-1.ts — the item"] }, files) } });
  const finished = played.records.find((each) => each.type === "agent.finished" && each.role === "Implement");
  expect(finished).toMatchObject({
    changed: ["src/item-1.ts"],
    outside: ["roadmap.json", ".signalbox/memory/roadmap.json"],
  });
  expect(itemOf(played, 1)["status"]).toBe("done");
});

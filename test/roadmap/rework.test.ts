import { expect, test } from "vitest";
import { finishedOf } from "../support/played.ts";
import {
  ADR,
  blocked,
  commits,
  createItem,
  inputOf,
  itemOf,
  MEMORY,
  noted,
  type Played,
  play,
  questions,
  reportText,
  says,
  steps,
  success,
} from "./paper.ts";

const FAILS = says({ ...success, failures: ["adds\n  expected 2\n  got 3\n  at sum.ts:4"] });
const NOT_YET = { ...blocked, verdict: "needs_work", failures: ["🔴 src/item-1.ts:1 says nothing", "🔵 a name"] };

/** Sets the item ready as a person would; the rest of the file stays unchanged. */
function setReady({ checkout }: Played): Played["checkout"] {
  const file = JSON.parse(checkout.get("roadmap.json") ?? "") as { items: Record<string, unknown>[] };
  const items = file.items.map((each) => (each["status"] === "blocked" ? { ...each, status: "ready" } : each));
  return checkout.set("roadmap.json", JSON.stringify({ ...file, items }));
}

test("[R-43] the next run of a blocked item continues from its work, and gets the findings", async () => {
  const first = await play({ parts: { Review: says(NOT_YET) } });
  const second = await play({
    checkout: setReady(first),
    parts: { Implement: says({ ...success, files: ["src/b.ts"] }) },
  });
  expect(steps(second)).toEqual(["Implement", "Testing", "Review"]);
  expect(second.sent[0]?.tree).toBe(first.sent.at(-1)?.tree);
  const { earlier } = inputOf(second, "Implement");
  expect(earlier).toMatchObject({ blockedAt: "Review", work: expect.stringContaining("in your working directory") });
  expect(JSON.stringify(earlier)).toContain("🔴 src/item-1.ts:1 says nothing");
  expect(inputOf(second, "Review")["earlier"]).toEqual(earlier);
  expect(second.status).toBe("done");
  expect(inputOf(second, "Review")["diff"]).toBe("added src/item-1.ts\nadded test/item-1.test.ts");
  expect(itemOf(second, 1)).toEqual(createItem(1, { status: "done" }));
  expect(JSON.parse(second.checkout.get(MEMORY) ?? "")).toMatchObject({ blocked: {} });
});

/** The earlier steps pass, then this role gives an unreadable answer. */
const answerUnreadably = (role: string) =>
  play({
    items: [createItem(1, { complexity: "complex" })],
    parts: { [role]: () => ({ reply: "I am done, all is well." }) },
  });
const ALL = ["Research", "Architect (design)", "Implement", "Architect (validation)", "Testing", "Review"];

test.each([
  ["Implement", 2],
  ["Testing", 4],
  ["Review", 5],
])("[R-43] if only the form of the answer of %s was wrong, the next run starts with it", async (role, at) => {
  const first = await answerUnreadably(role);
  expect(itemOf(first, 1)).toMatchObject({ blockedAt: role, blockedCategory: "contract_missing" });
  expect(finishedOf(first.records)?.next?.[0]).toContain(
    `its next run starts with ${role}, whose answer could not be read`,
  );
  const second = await play({ checkout: setReady(first) });
  expect(steps(second)).toEqual(ALL.slice(at));
  expect(second.status).toBe("done");
  expect(noted(second, "kept")).toBe(ALL.slice(0, at).join(", "));
  expect(noted(second, "gates")).toBe(ALL.map((step) => `${step}: pass`).join(", "));
  expect(inputOf(second, role)["earlier"]).toMatchObject({ blockedAt: role });
  expect(commits(second)).toHaveLength(1);
  expect(JSON.parse(second.checkout.get(MEMORY) ?? "")).toMatchObject({ blocked: {} });
});

test("[R-43] the later steps get the earlier answers, as if they had been asked again", async () => {
  const whole = await play({ items: [createItem(1, { complexity: "complex" })] });
  const second = await play({ checkout: setReady(await answerUnreadably("Testing")) });
  const { earlier: _, learnings: learned, ...told } = inputOf(second, "Review");
  const { learnings: __, ...asked } = inputOf(whole, "Review");
  expect(told).toEqual(asked);
  expect(learned).toEqual([{ itemId: 1, learning: "notes are JSON" }]);
});

test("[R-43] an item that has changed since, or whose work is gone, starts with Research again", async () => {
  const other = setReady(await answerUnreadably("Testing"));
  other.set("roadmap.json", (other.get("roadmap.json") ?? "").replaceAll("it works", "it works twice"));
  expect(steps(await play({ checkout: other }))).toEqual(ALL);
  const gone = await play({
    checkout: setReady(await answerUnreadably("Testing")),
    instead: (effect) => (effect.kind === "see" && effect.request.what === "has" ? false : undefined),
  });
  expect(steps(gone)).toEqual(ALL);
});

test("[R-43] a block about the work starts with Research again", async () => {
  const complex = { items: [createItem(1, { complexity: "complex" })] };
  const first = await play({ ...complex, parts: { Review: says(NOT_YET) } });
  expect(steps(await play({ checkout: setReady(first) }))).toEqual(ALL);
});

test("[R-18] an implementer that finds the earlier work complete lists no files, and the item continues", async () => {
  const first = await play({ parts: { Review: says(NOT_YET) } });
  const second = await play({ checkout: setReady(first), parts: { Implement: says({ ...success, files: [] }) } });
  expect(steps(second)).toEqual(["Implement", "Testing", "Review"]);
  expect(second.status).toBe("done");
});

test("earlier work that no longer merges is restarted, with its findings", async () => {
  const first = await play({ parts: { Testing: FAILS } });
  const memory = JSON.parse(first.checkout.get(MEMORY) ?? "");
  memory.blocked["1"].base = "another";
  first.checkout.set(MEMORY, JSON.stringify(memory));
  const conflict = { clean: false, at: 1, conflicts: ["src/item-1.ts"] };
  const second = await play({
    checkout: setReady(first),
    instead: (effect) => (effect.kind === "merge" ? conflict : undefined),
  });
  expect(second.sent[0]?.tree).toBe("base");
  const told = JSON.stringify(inputOf(second, "Implement")["earlier"]);
  expect(told).toContain("conflicts with later commits (src/item-1.ts)");
  expect(told).toContain("adds\\n  expected 2\\n  got 3");
});

test("earlier work that was garbage-collected is restarted", async () => {
  const first = await play({ parts: { Testing: FAILS } });
  const second = await play({
    checkout: setReady(first),
    instead: (effect) => (effect.kind === "see" && effect.request.what === "has" ? false : undefined),
  });
  expect(second.sent[0]?.tree).toBe("base");
  expect(inputOf(second, "Implement")["earlier"]).toMatchObject({ work: expect.stringContaining("no longer exists") });
});

test("the reason of a block is in the decision, in the notes, in the report and in the report of its next run", async () => {
  const first = await play({ parts: { Review: says(NOT_YET) } });
  const decision = first.records.flatMap((each) => (each.type === "step.finished" ? [each.value] : [])) as {
    gate?: string;
    passed?: boolean;
    findings?: { message: string }[];
  }[];
  const refused = decision.find((value) => value?.gate === "answer of Review");
  expect(refused?.findings?.map(({ message }) => message)).toContain("🔴 src/item-1.ts:1 says nothing");
  expect(noted(first, "issues")).toContain("🔴 src/item-1.ts:1 says nothing");
  const review = first.sent.at(-1);
  expect(first.report).toMatchObject({ work: { tree: review?.tree, accepted: false, why: first.reason } });
  const second = await play({ checkout: setReady(first) });
  expect(reportText(second)).toContain("🔴 src/item-1.ts:1 says nothing");
  expect(reportText(second).match(/## Orchestration Iteration/g)).toHaveLength(2);
});

test("[R-31] a block without a reason takes it from failures, findings or drift, and loses none of them", async () => {
  const bare = { status: "blocked", evidence: ["ran"], failures: ["adds\n  expected 2", "subtracts"] };
  const played = await play({ parts: { Testing: says(bare) } });
  expect(itemOf(played, 1)).toMatchObject({ blockedCategory: "test_failure", blockedReason: "2 failing tests" });
  expect(played.report).toMatchObject({ issues: ["adds\n  expected 2", "subtracts"] });
  const drift = { status: "blocked", mode: "validation", evidence: ["src/a.ts keeps files, the ADR says none"] };
  const Architect = says(drift);
  const complex = await play({
    items: [createItem(1, { complexity: "complex" })],
    parts: {
      Architect: (request) =>
        request.instance === "Architect (design)"
          ? { contract: { ...success, mode: "design", adr: ADR }, files: { [ADR]: "# Store\n" } }
          : Architect(request),
    },
  });
  expect(itemOf(complex, 1)).toMatchObject({
    blockedCategory: "drift_detected",
    blockedReason: "src/a.ts keeps files, the ADR says none",
  });
});

test("a known learning is not added again", async () => {
  const again = says(
    { ...success, files: ["src/item-1.ts"], learnings: ["Notes are JSON.", "be brief", "Be  brief."] },
    {
      "src/item-1.ts": "a\n",
    },
  );
  const text = JSON.stringify({ items: [createItem(1)], learnings: [{ itemId: 0, learning: "notes are JSON" }] });
  const played = await play({ text, parts: { Implement: again } });
  expect(JSON.parse(played.checkout.get("roadmap.json") ?? "").learnings).toEqual([
    { itemId: 0, learning: "notes are JSON" },
    { itemId: 1, learning: "be brief" },
  ]);
});

test("a note to `continue` reaches every agent that works on the next item", async () => {
  const played = await play({
    items: [createItem(1), createItem(2)],
    approvals: "interactive",
    answers: [{ choice: "continue", note: "keep the old name" }],
  });
  expect(questions(played)).toHaveLength(1);
  expect(played.sent.map(({ input }) => (input as { note?: string }).note)).toEqual([
    ...Array(3).fill(undefined),
    ...Array(3).fill("keep the old name"),
  ]);
});

test.each([
  "src/test/java/shop/PriceTest.java",
  "packages/a/test/helper.js",
  "spec/models/user_spec.rb",
  "src/pkg/tests/test_price.py",
  "crates/x/tests/price.rs",
  "conftest.py",
])("Testing's %s is accepted", async (path) => {
  const played = await play({ parts: { Testing: says(success, { [path]: "x\n" }) } });
  expect(inputOf(played, "Review")["diff"]).toContain(`added ${path}`);
});

test("an ADR is written to the repository's own folder for decisions, and the Architect may write nowhere else", async () => {
  const adr = "doc/decisions/0008-store.md";
  const Architect = says({ ...success, mode: "design", evidence: [`see ${adr}`] }, { [adr]: "# Store\n" });
  const base = { "doc/decisions/0007-names.md": "# Names\n" };
  const played = await play({ items: [createItem(1, { complexity: "medium" })], base, parts: { Architect } });
  expect(played.status).toBe("done");
  expect(played.sent.find(({ role }) => role === "Architect")?.writes).toContain("doc/decisions/**");
  expect(inputOf(played, "Implement")["design"]).toMatchObject({ adrPath: adr });
});

test("the commit states the change and its reason: the item's request and the decision behind it", async () => {
  const one = createItem(1, {
    title: "Keep notes",
    complexity: "medium",
    acceptanceCriteria: ["a note survives a restart"],
  });
  const played = await play({ items: [one] });
  expect(commits(played)[0]?.message).toMatch(
    [
      "Keep notes",
      "Roadmap item 1 requires:\n- a note survives a restart",
      "Gates: Research, Architect (design), Implement, Testing, Review passed;\nbuild passed, test passed, lint passed.",
      `Design: ${ADR}\nItem: 1\n`,
    ].join("\n\n"),
  );
});

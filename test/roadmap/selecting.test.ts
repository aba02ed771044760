import { expect, test } from "vitest";
import { RoadmapFile } from "../../src/pipelines/roadmap/choosing/roadmap.ts";
import {
  afterPreflight,
  createItem,
  digest,
  fileOf,
  inputsOf,
  itemOf,
  noted,
  type Part,
  play,
  says,
  steps,
  writes,
} from "./paper.ts";

const statuses = (text: string): unknown[] =>
  (JSON.parse(text) as { items: { status: string }[] }).items.map((each) => each.status);
const selected = (played: Awaited<ReturnType<typeof play>>): unknown[] =>
  inputsOf(played, "Implement").map((input) => (input["item"] as { id: unknown }).id);

test("[R-01] a missing roadmap stops the run, with exit 3, before anything is dispatched or written", async () => {
  const played = await play({ checkout: new Map() });
  expect(played).toMatchObject({
    status: "blocked",
    exit: 3,
    reason: "roadmap.json: expected a file with the roadmap's items, found none",
  });
  expect(afterPreflight(played).filter(({ kind }) => kind !== "see")).toEqual([]);
});

test("[R-01] a malformed roadmap stops the run and names file, item, field, expected and found", async () => {
  const played = await play({ items: [createItem(7, { title: "Store notes", priority: "high" as never })] });
  expect(played).toMatchObject({ status: "blocked", exit: 3 });
  expect(played.reason).toBe('roadmap.json: item 7 "Store notes": priority: expected number, found "high"');
});

test("[R-28] every error is listed at once, nothing is dispatched and the file stays byte-identical", async () => {
  const text = `  {"items" :[${JSON.stringify({ ...createItem(1), title: 3 })},${JSON.stringify(createItem(2, { dependencies: [8] }))}]}`;
  const played = await play({ text });
  expect(played.report).toMatchObject({
    result: "INVALID",
    errors: [
      "roadmap.json: item 1: title: expected string, found 3",
      'roadmap.json: item 2 "Item 2": dependencies: expected ids of items, found 8, which no item has',
    ],
  });
  expect(played.sent).toEqual([]);
  expect(played.checkout.get("roadmap.json")).toBe(text);
});

test("[R-03] items that wait for each other never start", async () => {
  const played = await play({
    items: [createItem(1), createItem(2, { dependencies: [3] }), createItem(3, { dependencies: [2] })],
  });
  expect(played).toMatchObject({ status: "blocked", reason: expect.stringContaining("2 → 3 → 2") });
  expect(played.sent).toEqual([]);
});

test("[R-02] one item runs at a time: by priority, then by id, after its dependencies", async () => {
  const items = [
    createItem(10),
    createItem(2),
    createItem(1, { priority: 0, dependencies: [10] }),
    createItem(3, { priority: 9 }),
  ];
  const played = await play({ items });
  expect(selected(played)).toEqual([2, 10, 1, 3]);
  const inProgress = played.written.map((text) => statuses(text).filter((status) => status === "in_progress").length);
  expect(Math.max(...inProgress)).toBe(1);
});

test("[R-04] in_progress is in the file before the first dispatch of the item", async () => {
  const played = await play({ items: [createItem(1), createItem(2)] });
  const order = played.effects.flatMap((effect): unknown[] => {
    if (effect.kind === "attempt") return [`${effect.request.instance} ${effect.request.task}`];
    return effect.kind === "write" && effect.request.path === "roadmap.json" ? [statuses(effect.request.text)] : [];
  });
  expect(order.slice(0, 2)).toEqual([["in_progress", "ready"], "Implement 1"]);
  expect(order.indexOf("Implement 2")).toBe(order.findIndex((each) => String(each) === "done,in_progress") + 1);
});

test("[R-29] each change of the status is a separate write: ready, in_progress, done", async () => {
  const played = await play({ items: [createItem(1), createItem(2)] });
  expect(played.written.map(statuses)).toEqual([
    ["in_progress", "ready"],
    ["done", "ready"],
    ["done", "in_progress"],
    ["done", "done"],
  ]);
});

test("[R-23] COMPLETE when every item is done", async () => {
  const played = await play({ items: [createItem(1), createItem(2, { status: "done" })] });
  expect(played).toMatchObject({ status: "done", exit: 0, reason: "COMPLETE", report: { result: "COMPLETE" } });
});

test("[R-23] a roadmap without an eligible item is stalled, with exit 3 and the reasons", async () => {
  const played = await play({ items: [createItem(1, { status: "blocked" }), createItem(2, { dependencies: [1] })] });
  expect(played).toMatchObject({
    status: "stalled",
    exit: 3,
    reason: "STALLED: 1 Item 1: blocked; 2 Item 2: waits for 1",
  });
  expect(played.sent).toEqual([]);
  expect(writes(played.effects)).toEqual([]);
});

test("[R-21] a block ends the run; a later one takes other ready items and skips the blocked one", async () => {
  const parts = { Review: says({ status: "success", evidence: ["read"], verdict: "minor_fixes" }) };
  const first = await play({ items: [createItem(1), createItem(2)], parts });
  expect(first).toMatchObject({ status: "blocked", exit: 3 });
  expect(selected(first)).toEqual([1]);
  const second = await play({ checkout: first.checkout });
  expect(selected(second)).toEqual([2]);
  expect(second).toMatchObject({ status: "stalled", reason: "STALLED: 1 Item 1: blocked" });
});

test("[R-21] a failed step is not dispatched again", async () => {
  const played = await play({ parts: { Testing: () => ({ failure: { code: "contract_invalid" } }) } });
  expect(steps(played)).toEqual(["Implement", "Testing"]);
  expect(played.sent.map(({ attempt }) => attempt)).toEqual([1, 1]);
});

test("[R-21] a crash or a rate limit blocks no item: the run is suspended, and asks the same agent when it is resumed", async () => {
  const crashed = { failure: { code: "agent_crashed", transient: true } } as const;
  const Testing: Part = ({ attempt }) =>
    attempt === 1 ? crashed : { contract: { status: "success", evidence: ["3 passed"] } };
  const played = await play({ parts: { Testing } });
  expect(played).toMatchObject({ status: "interrupted", exit: 4 });
  expect(itemOf(played, 1)).toMatchObject({ status: "in_progress" });
  await played.stage.post({ kind: "resume", by: "Ada" });
  expect(await played.stage.drive()).toMatchObject({ status: "done" });
  expect(itemOf(played, 1)).toEqual(createItem(1, { status: "done" }));
});

test("[R-29] a person sets a blocked item ready; it runs its whole route again and loses the blocked fields", async () => {
  const first = await play({ parts: { Testing: says({ status: "success", evidence: ["ran"], failures: ["one"] }) } });
  const blocked = itemOf(first, 1);
  expect(Object.keys(blocked)).toContain("blockedReason");
  first.checkout.set("roadmap.json", JSON.stringify({ items: [{ ...blocked, status: "ready" }] }));
  const second = await play({ checkout: first.checkout });
  expect(steps(second)).toEqual(["Implement", "Testing", "Review"]);
  expect(second.written.map((text) => text.includes("blocked"))).toEqual([false, false]);
  expect(itemOf(second, 1)).toEqual(createItem(1, { status: "done" }));
});

test("[R-44] an item left in progress by a run that no longer exists is offered again with a note", async () => {
  const played = await play({ items: [createItem(1, { status: "in_progress" })] });
  expect(played).toMatchObject({ status: "done", reason: "COMPLETE" });
  expect(noted(played, "again")).toBe(
    "item 1 was left in progress by a run that no longer exists; it is offered again",
  );
  const fresh = await play();
  expect(noted(fresh, "again")).toBeUndefined();
});

test("[R-44] an item whose attempt was interrupted too often is not blocked: it stays in progress, and the run is suspended", async () => {
  let lost = 0;
  const played = await play({
    parts: {
      Testing: () => {
        lost += 1;
        return { outcome: "interrupted" };
      },
    },
  });
  expect(lost).toBe(2);
  expect(played).toMatchObject({ status: "interrupted", exit: 130 });
  expect(itemOf(played, 1)).toMatchObject({ status: "in_progress" });
});

test("the written file satisfies its schema", async () => {
  const played = await play({ items: [createItem(1), createItem(2, { complexity: "medium" })] });
  for (const text of played.written) expect(RoadmapFile.safeParse(JSON.parse(text)).success).toBe(true);
  expect(fileOf(played).items).toHaveLength(2);
  expect(digest(played.written.at(-1) ?? "")).toBe(digest(played.checkout.get("roadmap.json") ?? ""));
});

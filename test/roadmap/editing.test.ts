import { expect, test } from "vitest";
import type { Effect } from "../../src/core/journal/effect.ts";
import { ARTIFACTS } from "../../src/pipelines/roadmap/artifacts.ts";
import {
  type Checkout,
  commits,
  createItem,
  fileOf,
  inputsOf,
  itemOf,
  MEMORY,
  play,
  questions,
  says,
  steps,
  success,
} from "./paper.ts";

type Raw = { items: Record<string, unknown>[] };
const edit = (checkout: Checkout, change: (file: Raw) => void): void => {
  const file = JSON.parse(checkout.get("roadmap.json") ?? "") as Raw;
  change(file);
  checkout.set("roadmap.json", JSON.stringify(file));
};
/** Performs an action once, while this agent runs. */
const actDuring = (instance: string, act: (checkout: Checkout) => void) => {
  let done = false;
  return (effect: Effect, checkout: Checkout): void => {
    if (done || effect.kind !== "attempt" || effect.request.instance !== instance) return;
    done = true;
    act(checkout);
  };
};
const ids = (played: Awaited<ReturnType<typeof play>>) =>
  inputsOf(played, "Implement").map((input) => (input["item"] as { id: unknown }).id);

test("[A-04] an edit while the run is parked is imported when it resumes", async () => {
  const parked = (checkout: Checkout): void =>
    edit(checkout, ({ items }) => {
      items[1] = createItem(3, { title: "Instead of the second" });
    });
  const played = await play({
    items: [createItem(1), createItem(2)],
    approvals: "interactive",
    answers: ["continue"],
    parked,
  });
  expect(ids(played)).toEqual([1, 3]);
  expect(played.reason).toBe("COMPLETE");
});

test("[A-04] an invalid edit while the run is parked stops it with field, expected, found and item", async () => {
  const parked = (checkout: Checkout): void =>
    edit(checkout, ({ items }) => {
      Object.assign(items[1] ?? {}, { status: "open" });
    });
  const played = await play({
    items: [createItem(1), createItem(2)],
    approvals: "interactive",
    answers: ["continue"],
    parked,
  });
  expect(played).toMatchObject({ status: "blocked", exit: 3 });
  expect(played.reason).toBe(
    'roadmap.json: item 2 "Item 2": status: expected ready | in_progress | blocked | done, found "open"',
  );
  expect(itemOf(played, 2)["status"]).toBe("open");
});

test("[A-04] an edit of other items while an agent runs stays in the file, and applies from the next item on", async () => {
  const meanwhile = actDuring("Testing", (checkout) =>
    edit(checkout, ({ items }) => {
      items[1] = { ...items[1], title: "Second, renamed", owner: "eve" };
      items.push(createItem(3));
    }),
  );
  const played = await play({ items: [createItem(1), createItem(2)], meanwhile });
  expect(played.reason).toBe("COMPLETE");
  expect(ids(played)).toEqual([1, 2, 3]);
  expect(itemOf(played, 2)).toEqual({ ...createItem(2, { status: "done" }), title: "Second, renamed", owner: "eve" });
});

test.each([
  [
    "sets it ready",
    (file: Raw) => Object.assign(file.items[0] ?? {}, { status: "ready" }),
    "status: expected in_progress, found ready",
  ],
  ["takes it out", (file: Raw) => file.items.splice(0, 1), "expected the item, found none"],
  [
    "asks for something else",
    (file: Raw) => Object.assign(file.items[0] ?? {}, { acceptanceCriteria: ["it works offline"] }),
    'acceptanceCriteria: expected the value that was worked on, found ["it works offline"]',
  ],
])(
  "[A-04] a person who %s while it is in progress is notified, and the edit is not overwritten",
  async (_how, change, told) => {
    let text = "";
    const meanwhile = actDuring("Review", (checkout) => {
      edit(checkout, change);
      text = checkout.get("roadmap.json") ?? "";
    });
    const played = await play({ items: [createItem(1), createItem(2)], meanwhile });
    expect(played).toMatchObject({ status: "blocked", exit: 3 });
    expect(played.reason).toContain(`item 1 "Item 1": ${told}`);
    expect(played.checkout.get("roadmap.json")).toBe(text);
  },
);

test("[A-04] a file that became invalid meanwhile parks the run with every error; once corrected, the item is recorded", async () => {
  const setPriority = (priority: unknown) => (checkout: Checkout) =>
    edit(checkout, ({ items }) => {
      Object.assign(items[0] ?? {}, { priority });
    });
  const whileReviewed = () => actDuring("Review", setPriority("high"));
  const correct = setPriority(7);
  const waiting = await play({ meanwhile: whileReviewed() });
  expect(waiting).toMatchObject({ status: "paused", exit: 3 });
  expect(questions(waiting)).toMatchObject([
    { show: { errors: ['roadmap.json: item 1 "Item 1": priority: expected number, found "high"'] } },
  ]);
  const played = await play({ meanwhile: whileReviewed(), parked: correct, answers: ["resume"] });
  expect(played).toMatchObject({ status: "done", reason: "COMPLETE" });
  expect(itemOf(played, 1)).toEqual(createItem(1, { status: "done", priority: 7 }));
});

test("[A-04] an edit between read and write is read again, not overwritten", async () => {
  let edits = 0;
  const meanwhile = (effect: Effect, checkout: Checkout): void => {
    if (effect.kind !== "write" || effect.request.path !== "roadmap.json" || edits >= 2) return;
    edits += 1;
    edit(checkout, ({ items }) => {
      items.push(createItem(10 + edits, { status: "done" }));
    });
  };
  const played = await play({ meanwhile });
  expect(played.reason).toBe("COMPLETE");
  expect(fileOf(played).items.map((each) => [each["id"], each["status"]])).toEqual([
    [1, "done"],
    [11, "done"],
    [12, "done"],
  ]);
});

test("[A-04] an invalid memory file is refused with field, expected and found, and not changed", async () => {
  const text = JSON.stringify({ scopes: {}, adrs: { "1": 2 }, learnings: [], taken: {}, last: null });
  const checkout = new Map([
    ["roadmap.json", JSON.stringify([createItem(1)])],
    [MEMORY, text],
  ]);
  const played = await play({ checkout });
  expect(played).toMatchObject({ status: "blocked", reason: `${MEMORY}: adrs.1: expected string, found 2` });
  expect(played.sent).toEqual([]);
  expect(checkout.get(MEMORY)).toBe(text);
});

test("[R-44] a run that resumes after another took its item does not change it", async () => {
  const meanwhile = actDuring("Review", (checkout) => {
    const memory = JSON.parse(checkout.get(MEMORY) ?? "") as { taken: Record<string, string> };
    memory.taken["1"] = "another-run";
    checkout.set(MEMORY, JSON.stringify(memory));
  });
  const played = await play({ meanwhile });
  expect(played.reason).toContain("found taken by another-run");
  expect(itemOf(played, 1)["status"]).toBe("in_progress");
});

test("[R-43] the next run starts from the work of done items that is not landed", async () => {
  const first = await play({ items: [createItem(1), createItem(2)], approvals: "interactive", answers: ["stop"] });
  const [made] = commits(first);
  const branch = `signalbox/${first.stage.run}`;
  const seen = { commit: "c1", tree: made?.tree ?? "", subjects: ["Item 1"] };
  const branches = (name: string) => (name === branch ? seen : undefined);
  const second = await play({ checkout: first.checkout, branches });
  expect(second.sent[0]?.tree).toBe(made?.tree);
  expect(commits(second)[0]?.parent).toBe("c1");
});

test.each([
  ["its branch is gone", undefined],
  ["HEAD has it", { commit: "c1", tree: "elsewhere", subjects: [] }],
])("[R-43] the next run starts from HEAD where %s", async (_why, seen) => {
  const first = await play({ items: [createItem(1), createItem(2)], approvals: "interactive", answers: ["stop"] });
  const second = await play({ checkout: first.checkout, branches: () => seen });
  expect(second.sent[0]?.tree).toBe("base");
});

test("[R-43] the work of an item that a person set back is not reused", async () => {
  const first = await play({ items: [createItem(1), createItem(2)], approvals: "interactive", answers: ["stop"] });
  edit(first.checkout, ({ items }) => {
    Object.assign(items[0] ?? {}, { status: "ready" });
  });
  const seen = { commit: "c1", tree: commits(first)[0]?.tree ?? "", subjects: ["Item 1"] };
  const second = await play({ checkout: first.checkout, branches: () => seen });
  expect(second.sent[0]?.tree).toBe("base");
});

test("the memory and the written files satisfy the schemas of the artifacts", async () => {
  const items = [createItem(1, { title: "Architect (design)" }), createItem(2, { complexity: "medium" })];
  const played = await play({ items, parts: { Testing: says(success) } });
  expect(steps(played)).toHaveLength(6);
  const [file, memory] = ARTIFACTS;
  expect(file?.schema.safeParse(JSON.parse(played.checkout.get("roadmap.json") ?? "")).success).toBe(true);
  expect(memory?.schema.safeParse(JSON.parse(played.checkout.get(MEMORY) ?? "")).success).toBe(true);
});

import { expect, test } from "vitest";
import { makeScene } from "./scene.ts";

test("the demo tells its whole story and leaves with 0", async () => {
  const { exit, events, err } = await makeScene().signalbox("demo", "--json");
  expect(exit, err).toBe(0);
  const of = (type: string) => events.filter((event) => event.type === type);

  const seqs = events.filter((event) => "seq" in event).map((event) => event["seq"]);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));

  const researchers = of("agent.finished").filter((event) => event["role"] === "researcher");
  expect(researchers.filter((event) => event["outcome"] === "done")).toHaveLength(4);
  expect(researchers.filter((event) => event["outcome"] === "failed")).toHaveLength(1);
  expect(of("agent.retried")).toHaveLength(1);

  const approving = of("gate.evaluated").filter(
    (event) => event["gate"] === "design review" && event["rule"] === "EG-6",
  );
  expect(approving.map((event) => event["passed"])).toEqual([false, true]);

  const implementers = of("agent.finished").filter((event) => event["role"] === "implementer");
  expect(implementers.map((event) => event["outcome"]).sort()).toEqual(["done", "done", "interrupted"]);
  expect(implementers.filter((event) => event["adopted"])).toHaveLength(1);

  const done = new Set<unknown>();
  for (const event of events) {
    if (event.type === "agent.finished" && event["outcome"] === "done") done.add(event["key"]);
    if (event.type === "agent.started") expect(done.has(event["key"])).toBe(false);
  }

  expect(of("approval.decided").map((event) => event["choice"])).toEqual(["proceed", "approve"]);
  expect(of("engine.started")).toHaveLength(4);
  expect(of("demo.told")).toMatchObject([
    { repeated: 0, sideBySide: 4, commit: { branch: expect.stringMatching(/^signalbox\//) } },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "run.finished", status: "done", exit: 0, confidence: "high" });
});

import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mergeChange } from "../../src/views/page/merge-change.ts";
import type { PageChange, RunPage } from "../../src/views/page/page.ts";
import { makeScene } from "../cli/scene.ts";
import { at, type Served, served } from "./served.ts";

const scene = makeScene();
const slow = `agents:
  - role: writer
    do: [{ write: { path: a.txt, content: "written\\n" } }, { sleep: 6000 }]
    output: { summary: write a file }
`;

/** Applies changes as a page does until the condition holds or the server stops. */
async function followRun(server: Served, run: string, from: RunPage | undefined, enough: (page: RunPage) => boolean) {
  let page = from;
  const left = new AbortController();
  try {
    for await (const line of server.lines(`/api/stream?run=${run}:${page?.seq ?? 0}`, left.signal)) {
      if (line["type"] !== "page") continue;
      const change = line["change"] as PageChange;
      expect(change.after).toBe(page?.seq ?? 0);
      page = mergeChange(page, change);
      if (enough(page)) break;
    }
  } catch {
    // A killed server ends in the middle of a line.
  } finally {
    left.abort();
  }
  return page;
}

test("a server with an open stream exits on the first signal", { timeout: 300_000 }, async () => {
  const { events } = await scene.signalbox(
    "run",
    "small",
    "x",
    "--input",
    "finish=ask",
    "--agents",
    scene.agents,
    "--json",
  );
  const server = await served(scene);
  const left = new AbortController();
  const paths = [`/api/stream?home=1&run=${events[0]?.["run"]}:0`, "/api/stream?home=1"];
  const streams = paths.map((path) => server.lines(path, left.signal));
  for (const stream of streams) await stream.next();
  await server.stop("SIGTERM");
  left.abort();
});

test("a page that follows a run across a server kill and restart receives every record exactly once", {
  timeout: 120_000,
}, async () => {
  writeFileSync(scene.agents, slow);
  const started = scene.start("run", "small", "x", "--input", "finish=done", "--agents", scene.agents, "--json");
  const run = String((await started.heard("run.started"))["run"]);
  const first = await served(scene);
  await started.heard("agent.started");
  const before = await followRun(first, run, undefined, (page) => page.head.counts.dispatches > 0);
  await first.stop("SIGKILL");
  const second = await served(scene);
  // The browser's token is still valid.
  expect(second.token).toBe(first.token);
  expect(second.port).not.toBe(0);
  const after = await followRun(second, run, before, (page) => page.head.status === "done");
  expect((await started.ended).exit).toBe(0);
  const whole = (await second.get(`/api/runs/${run}`)) as unknown as RunPage;
  expect(after?.seq).toBe(whole.seq);
  expect(after?.rows).toEqual(whole.rows);
  const told = (await second.get(`/api/runs/${run}/events?after=${before?.seq}`)) as { records: { seq: number }[] };
  const journal = (await scene.signalbox("events", run, "--json")).events.map((event) => Number(event["seq"]));
  expect(told.records.map(({ seq }) => seq)).toEqual(journal.filter((seq) => seq > (before?.seq ?? 0)));
  expect(at(await second.get("/api/home"), "recent", 0, "run")).toBe(run);
});

import { afterAll, expect, test } from "vitest";
import { stringify } from "yaml";
import type { PageChange } from "../../src/views/page/page.ts";
import { makeScene } from "../cli/scene.ts";
import { type Served, served } from "./served.ts";

const scene = makeScene();
const WRITER = `const prompt = require("node:fs").readFileSync(0, "utf8");
const nonce = /"nonce": ?"([^"]+)"/.exec(prompt)?.[1] ?? "";
require("node:fs").writeFileSync("a.txt", "written\\n");
console.log(JSON.stringify({ nonce, contract: { summary: "wrote" } }));
`;

async function waitForEnd(page: Served, run: string): Promise<string> {
  for await (const line of page.lines(`/api/stream?run=${run}:0`)) {
    const status = (line["change"] as PageChange | undefined)?.page.head.status ?? "running";
    if (status !== "running" && status !== "stopped") return status;
  }
  return "gone";
}

afterAll(async () => {
  for (const { run } of JSON.parse((await scene.signalbox("ps", "--json")).out).runs)
    await scene.signalbox("cancel", run);
});

test("a run started from the page continues alone, once per key, and another forks from one of its phases", {
  timeout: 120_000,
}, async () => {
  const program = scene.put("../writer.cjs", WRITER);
  const agents = { "*": { driver: "command", argv: [process.execPath, program] } };
  scene.put(".signalbox/config.yaml", stringify({ agents }));
  const page = await served(scene);
  const { repositories } = (await page.get("/api/home")) as { repositories: { id: string }[] };
  const order = {
    repository: repositories[0]?.id,
    pipeline: "small",
    request: "--help; $(id)",
    approvals: "autonomous",
  };
  const key = { "idempotency-key": "the-first" };
  const [first, again] = await Promise.all([page.post("/api/runs", order, key), page.post("/api/runs", order, key)]);
  expect(first.json).toMatchObject({ run: expect.any(String), detached: true });
  expect(again.json).toEqual(first.json);
  const other = await page.post("/api/runs", { ...order, request: "another" }, key);
  expect(other.json).toMatchObject({ error: { code: "KEY_REUSED" } });
  const run = String(first.json["run"]);
  expect(await waitForEnd(page, run)).toBe("done");
  expect(await page.get(`/api/runs/${run}`)).toMatchObject({ head: { request: "--help; $(id)" } });
  const forked = await page.post(`/api/runs/${run}/fork`, { phase: "2 Decide" });
  expect(await waitForEnd(page, String(forked.json["run"]))).toBe("done");
  expect(JSON.parse((await scene.signalbox("ps", "--json")).out).runs).toHaveLength(2);
  const nobody = await page.post("/api/runs", { ...order, agents: ["writer=nobody"] });
  expect(nobody.json).toMatchObject({ error: { message: expect.stringContaining("nobody") } });
  const wrong = await page.post("/api/runs", { ...order, pipeline: "nothing" });
  expect([wrong.status, wrong.json["error"]]).toMatchObject([404, { code: "PIPELINE_UNKNOWN" }]);
});

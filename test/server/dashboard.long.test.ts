import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandEnd, makeScene } from "../cli/scene.ts";
import { at, browser, type Doc, type Served, served } from "./served.ts";

const scene = makeScene();
let page: Served;
let asked: { readonly run: string; readonly approval: string };

async function startSuspendedRun(finish = "ask"): Promise<typeof asked> {
  const flags = ["--input", `finish=${finish}`, "--agents", scene.agents, "--json"];
  const ended = await scene.signalbox("run", "small", "x", ...flags);
  const question = ended.events.find((event) => event.type === "approval.requested");
  return { run: String(question?.["run"]), approval: String(question?.["approval"]) };
}

const parseDocument = (ended: CommandEnd): Doc => JSON.parse(ended.out);

beforeAll(async () => {
  asked = await startSuspendedRun();
  page = await served(scene);
});
afterAll(async () => {
  const { runs } = parseDocument(await scene.signalbox("ps", "--json")) as {
    runs: { run: string; exit: number | null }[];
  };
  for (const { run } of runs) await scene.signalbox("cancel", run);
});

describe("the dashboard's server", { timeout: 300_000 }, () => {
  test("shows the runs of every repository and their open questions, and no local path", async () => {
    const home = await page.get("/api/home");
    expect(home).toMatchObject({
      v: 1,
      needs: [
        { id: asked.approval, run: asked.run, repository: "repo", title: "Keep it?", pipeline: "small", request: "x" },
      ],
      running: [{ run: asked.run, repository: "repo", state: "waiting", waitsFor: { needs: expect.any(String) } }],
      recent: [],
      repositories: [{ name: "repo" }],
    });
    expect(JSON.stringify(home)).not.toContain(scene.repo);
  });

  test("serves a page equal to the sum of its changes, and the same records as `events`", async () => {
    const whole = await page.get(`/api/runs/${asked.run}`);
    expect(whole).toMatchObject({ v: 1, head: { run: asked.run, state: "waiting" } });
    const change = await page.get(`/api/runs/${asked.run}/changes?after=0`);
    expect(at(change, "page", "rows")).toEqual(whole["rows"]);
    const { records } = (await page.get(`/api/runs/${asked.run}/events`)) as { records: unknown };
    expect(records).toEqual((await scene.signalbox("events", asked.run, "--json")).events);
    const two = await page.get(`/api/runs/${asked.run}/events?after=2&most=2`);
    expect((two["records"] as { seq: number }[]).map(({ seq }) => seq)).toEqual([3, 4]);
  });

  test("shows an attempt's prompt, output and answer, its changes, its gate and its cost", async () => {
    const { rows } = (await page.get(`/api/runs/${asked.run}`)) as { rows: Doc[] };
    const dispatch = rows.find((row) => row["kind"] === "dispatch");
    const gate = rows.find((row) => row["kind"] === "gate");
    const effect = encodeURIComponent(String(at(dispatch, "attempts", 0, "effect")));
    const of = `/api/runs/${asked.run}`;
    expect(await page.get(`${of}/prompt?effect=${effect}`)).toMatchObject({
      text: expect.stringContaining("Writes one file"),
    });
    const transcript = await page.get(`${of}/transcript?effect=${effect}`);
    expect(transcript).toMatchObject({ complete: true });
    const key = encodeURIComponent(String(dispatch?.["key"]));
    expect(await page.get(`${of}/contract?key=${key}&attempt=1`)).toMatchObject({
      contract: { summary: "write a file" },
    });
    expect(await page.get(`${of}/diff`)).toMatchObject({
      files: [{ path: "a.txt", status: "A", added: 1, removed: 0, binary: false, hunks: [{ lines: ["+written"] }] }],
    });
    expect(await page.get(`${of}/diff?path=a.txt`)).toMatchObject({
      files: [{ hunks: [{ newStart: 1, lines: ["+written"] }] }],
    });
    expect(await page.get(`${of}/gates?key=${encodeURIComponent(String(gate?.["key"]))}`)).toMatchObject({
      gate: "wrote",
      rules: [{ rule: "WROTE", says: "something must have changed", sql: null, actual: 1, need: 1, passed: true }],
    });
    expect(await page.get(`${of}/cost`)).toMatchObject({
      byRole: [{ name: "writer", dispatches: 1 }],
      total: { open: 0 },
    });
  });

  test("queries the ledger in a process that can be killed, and refuses queries that write", async () => {
    const { repositories } = (await page.get("/api/home")) as { repositories: { id: string }[] };
    const repository = repositories[0]?.id;
    const { json } = await page.post("/api/sql", { repository, query: "SELECT count(*) AS n FROM pipeline_telemetry" });
    expect(json).toMatchObject({ columns: ["n"], rows: [[expect.any(Number)]] });
    const writes = await page.post("/api/sql", { repository, query: "DELETE FROM journal" });
    expect([writes.status, at(writes.json, "error", "code")]).toEqual([400, "USAGE"]);
    const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
    expect((await page.post("/api/sql", { repository, query: endless })).status).toBe(400);
    expect((await page.post("/api/sql", { repository: "nobody", query: "SELECT 1" })).status).toBe(409);
    expect(await page.get(`/api/pipelines?repository=${repository}`)).toMatchObject({
      pipelines: expect.arrayContaining([expect.objectContaining({ name: "small", inputs: expect.any(Array) })]),
    });
  });

  test("refuses an answer to outdated content, and an unknown choice", async () => {
    const whole = await page.get(`/api/questions/${asked.approval}`);
    expect(whole).toMatchObject({
      id: asked.approval,
      show: { summary: "write a file" },
      files: [{ path: "a.txt", text: "written\n" }],
      choices: [{ name: "keep" }, { name: "revise", needsWords: true }, { name: "abort" }],
      answered: null,
    });
    const answer = `/api/questions/${asked.approval}/answer`;
    const other = await page.post(answer, { choice: "keep", hash: "0".repeat(64) });
    expect([other.status, at(other.json, "error", "code")]).toEqual([409, "CONTENT_CHANGED"]);
    const hash = whole["hash"];
    expect(at((await page.post(answer, { choice: "burn", hash })).json, "error", "code")).toBe("CHOICE_UNKNOWN");
    expect(at((await page.post(answer, { choice: "revise", hash })).json, "error", "hint")).toContain("Add one");
    expect((await page.post("/api/questions/nothing/answer", { choice: "keep", hash })).status).toBe(404);
  });

  test("accepts an answer once, records who gave it, continues the run, and tells later answerers who was first", async () => {
    const { hash } = (await page.get(`/api/questions/${asked.approval}`)) as { hash: string };
    const answer = `/api/questions/${asked.approval}/answer`;
    const kept = { choice: "keep", hash, note: "as agreed" };
    const first = await page.post(answer, kept, { "idempotency-key": "one" });
    expect(first.json).toMatchObject({
      answered: { choice: "keep", by: expect.stringMatching(/ through the dashboard$/) },
    });
    // Sent again with its key, and by a page that has lost the key.
    expect((await page.post(answer, kept, { "idempotency-key": "one" })).json).toEqual(first.json);
    expect((await page.post(answer, { choice: "keep", hash })).status).toBe(200);
    const late = await page.post(answer, { choice: "abort", hash });
    expect([late.status, late.json]).toMatchObject([409, { choice: "keep", by: expect.stringContaining("dashboard") }]);
    const cli = await scene.signalbox("reject", asked.approval);
    expect(cli.err).toContain("already answered: keep by ");
    for await (const line of page.lines(`/api/stream?run=${asked.run}:0`)) {
      if (at(line, "change", "page", "head", "status") === "done") break;
    }
    expect(await page.get("/api/home")).toMatchObject({
      needs: [],
      running: [],
      recent: [{ run: asked.run, state: "done" }],
    });
    expect(await page.get(`/api/questions/${asked.approval}`)).toMatchObject({
      answered: { choice: "keep", note: "as agreed" },
    });
    expect((await page.post(`/api/runs/${asked.run}/cancel`)).json).toMatchObject({ error: { code: "RUN_ENDED" } });
    const landed = await page.post(`/api/runs/${asked.run}/land`);
    expect([landed.status, landed.json["status"]]).toEqual([200, "landed"]);
    expect(scene.git("show", "HEAD:a.txt")).toBe("written\n");
  });

  test("two answers at once from page and terminal: one counts, and the other learns which", async () => {
    for (let n = 0; n < 3; n++) {
      const { approval, run } = await startSuspendedRun();
      const { hash } = (await page.get(`/api/questions/${approval}`)) as { hash: string };
      const [web, cli] = await Promise.all([
        page.post(`/api/questions/${approval}/answer`, { choice: "abort", hash }),
        scene.signalbox("approve", approval, "--choose", "revise", "--note", "shorter"),
      ]);
      expect([web.status, cli.exit]).toEqual(web.status === 200 ? [200, 2] : [409, 0]);
      if (web.status === 200) expect(cli.err).toContain("already answered: abort by ");
      else expect(web.json).toMatchObject({ error: { code: "ANSWERED" }, choice: "revise" });
      await page.post(`/api/runs/${run}/cancel`, { note: "enough" });
    }
  });

  test("cancels with a note, and returns the same refusals as the command", async () => {
    const { run } = await startSuspendedRun();
    const canceled = await page.post(`/api/runs/${run}/cancel`, { note: "no --json -x" });
    expect(canceled.json).toMatchObject({ run, status: "canceled", reason: expect.stringContaining("no --json -x") });
    expect((await page.post("/api/runs/nothing/cancel")).status).toBe(404);
    const unknown = await page.post(`/api/runs/${run}/fork`, { phase: "9 Nowhere" });
    expect([unknown.status, at(unknown.json, "error", "hint")]).toEqual([400, expect.stringContaining("1 Write")]);
  });

  test("a run in a terminal prints its page's address, and how to serve the dashboard if it is not served", async () => {
    const here = await scene.signalbox("run", "small", "x", "--agents", scene.agents);
    expect(here.out).toMatch(new RegExp(`^dashboard: http://127\\.0\\.0\\.1:${page.port}/runs/[a-z0-9-]+$`, "m"));
    const elsewhere = makeScene();
    const there = await elsewhere.signalbox("run", "small", "x", "--agents", elsewhere.agents);
    expect(there.out).toMatch(/^dashboard: signalbox ui$/m);
  });

  test("prints another single-use link for a server that is already running", async () => {
    const first = parseDocument(await scene.signalbox("ui", "--no-open", "--json"));
    expect(first).toMatchObject({ started: false, port: page.port });
    const other = await browser(page.port, String(first["url"]), page.stop);
    expect(other.token).toBe(page.token);
    expect((await other.get("/api/home"))["v"]).toBe(1);
    const again = await page.post("/api/session", { code: String(first["url"]).split("=")[1] });
    expect([again.status, at(again.json, "error", "code")]).toEqual([401, "CODE_WRONG"]);
  });

  test("keeps its token secret: in a file of this user, in no argument, output or database", async () => {
    const server = join(scene.repo, "../state/signalbox/server");
    expect(statSync(join(server, "token")).mode & 0o777).toBe(0o600);
    expect(statSync(server).mode & 0o777).toBe(0o700);
    const listed = execFileSync("sh", ["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null || true"]).toString();
    expect(listed).not.toContain(page.token);
    const found = execFileSync("sh", ["-c", `grep -rl -- ${page.token} ${join(scene.repo, "..")} || true`]).toString();
    expect(found.trim().split("\n")).toEqual([join(server, "token")]);
  });

  test("cannot be started by an agent, and its port cannot be used twice", async () => {
    const agent = await scene.from({ env: { CLAUDECODE: "1" } }, "ui", "--no-open", "--json");
    expect(agent.events.at(-1)).toMatchObject({ type: "error", code: "AGENT_IN_CHARGE" });
    const elsewhere = makeScene();
    const taken = await elsewhere.signalbox("ui", "--no-open", "--json", "--port", String(page.port));
    expect([taken.exit, taken.events.at(-1)?.["code"]]).toEqual([4, "PORT_TAKEN"]);
    expect((await elsewhere.signalbox("ui", "--port", "many")).exit).toBe(2);
  });
});

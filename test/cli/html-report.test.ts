import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { makeWitness, SECRET } from "./witness.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const { scene } = makeWitness();
const file = join(scene.repo, "../report.html");

beforeAll(async () => {
  execFileSync(process.execPath, [join(ROOT, "scripts/web.mjs"), "--if-changed"]);
  const flags = ["--agents", join(scene.repo, ".git/good.yaml"), "--approvals", "autonomous", "--json"];
  const ended = await scene.signalbox("run", "witness", "</script><b>x", ...flags, "--reporter", `html=${file}`);
  expect([ended.exit, ended.err]).toEqual([0, ""]);
});

function parseEmbeddedRun() {
  const [, json = "null"] = /id="run">(.*?)<\/script>/s.exec(readFileSync(file, "utf8")) ?? [];
  return JSON.parse(json);
}

test("contains the run page, the events, the change and the agents' output, and no secret", () => {
  const { page, events, diff, transcripts } = parseEmbeddedRun();
  expect(page.head).toMatchObject({ pipeline: "witness", state: "done", request: "</script><b>x" });
  expect(events.at(-1)).toMatchObject({ type: "run.finished", seq: page.seq });
  expect(diff.files).toMatchObject([{ path: "answer.txt", status: "M", hunks: [{ lines: expect.any(Array) }] }]);
  const attempts = page.rows.flatMap((row: { attempts?: { effect: string }[] }) => row.attempts ?? []);
  expect(Object.keys(transcripts).sort()).toEqual(attempts.map(({ effect }: { effect: string }) => effect).sort());
  expect(readFileSync(file, "utf8")).not.toContain(SECRET);
});

test("is identical when it is generated again later", async () => {
  const { out } = await scene.signalbox("report", "--reporter", "html");
  expect(out.includes('<script type="application/json" id="run">{')).toBe(true);
  expect(out).toContain('"type":"run.finished"');
});

test.skipIf(!existsSync(CHROMIUM))(
  "opens from disk in a browser without a server (skipped where there is no chromium)",
  async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      const [errors, asked]: [string[], string[]] = [[], []];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(pathToFileURL(file).href);
      await page.getByText("self-contained file").waitFor();
      await page.getByText("</script><b>x").first().waitFor();
      await page.getByRole("link", { name: /^Gates/ }).click();
      await page.getByRole("region", { name: /^Gate / }).waitFor();
      await page.getByRole("link", { name: /^Cost/ }).click();
      await page.getByText("Counted against the budget").waitFor();
      await page.getByRole("link", { name: "Graph" }).click();
      await page.getByRole("link", { name: "Graph" }).and(page.locator("[aria-current=page]")).waitFor();
      expect(errors).toEqual([]);
      expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([pathToFileURL(file).href]);
    } finally {
      await browser.close();
    }
  },
);

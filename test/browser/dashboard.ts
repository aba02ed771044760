import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Scene, Talk } from "../cli/scene.ts";

const ROOT = join(import.meta.dirname, "../..");
const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const program = (process.env["PATH"] ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(existsSync);

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"];

/** Tests that need a browser; where there is none, their title says so. */
export function inBrowser(title: string, tests: () => void): void {
  if (program) describe(title, { timeout: 300_000 }, tests);
  else describe.skip(`${title} (skipped: none of ${NAMES.join(", ")} is installed)`, tests);
}

let browser: Browser;
const served: Talk[] = [];

beforeAll(async () => {
  if (!program) return;
  execFileSync(process.execPath, [join(ROOT, "scripts/web.mjs"), "--if-changed"]);
  browser = await chromium.launch({ executablePath: program, args: FLAGS });
});

afterAll(async () => {
  await browser?.close();
  for (const talk of served) talk.kill("SIGKILL");
  for (const talk of served) await talk.ended;
});

export type Served = { readonly origin: string; readonly link: string; readonly stop: () => void };

/** `signalbox ui` of the scene's person: its address, and a link that opens it once. */
export async function serve(scene: Scene): Promise<Served> {
  const talk = scene.start("ui", "--no-open", "--json", "--port", "0");
  served.push(talk);
  const { url } = await Promise.race([talk.heard("ui"), talk.ended.then(({ err }) => Promise.reject(new Error(err)))]);
  return { origin: new URL(String(url)).origin, link: String(url), stop: () => talk.kill("SIGKILL") };
}

/** A browser of its own. Whatever a page fails at is a failure of the test. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(20_000);
  context.on("weberror", (error) => expect.soft(`${error.page()?.url()}: ${error.error().stack}`).toBe("no error"));
  // The page and the server are of one version: what the one asks, the other understands.
  context.on("response", (reply) => {
    if (reply.status() === 400 && reply.request().method() === "GET") expect.soft(reply.url()).toBe("understood");
  });
  return context;
}

/** Through the link, until the page is live. */
export async function enter(context: BrowserContext, link: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(link);
  await page.getByText("live", { exact: true }).waitFor();
  return page;
}

type Violations = readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];

/** What is wrong with a page for who uses it by ear or by keyboard. */
export async function violations(page: Page, rules: "all" | "color-contrast" = "all"): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const only = rules === "all" ? "{}" : `{ runOnly: ["${rules}"] }`;
  const found: Violations = await page.evaluate(`axe.run(${only}).then(({ violations }) => violations)`);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

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

/** Declares tests that need a browser; without one, the title gives the reason for the skip. */
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

/** Starts `signalbox ui` as the scene's user. Returns its address and a single-use link. */
export async function serve(scene: Scene): Promise<Served> {
  const talk = scene.start("ui", "--no-open", "--json", "--port", "0");
  served.push(talk);
  const { url } = await Promise.race([talk.heard("ui"), talk.ended.then(({ err }) => Promise.reject(new Error(err)))]);
  return { origin: new URL(String(url)).origin, link: String(url), stop: () => talk.kill("SIGKILL") };
}

/** Opens a separate browser. An error on any page fails the test. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(20_000);
  context.on("weberror", (error) => expect.soft(`${error.page()?.url()}: ${error.error().stack}`).toBe("no error"));
  // Page and server have the same version, so the server must accept every request of the page.
  context.on("response", (reply) => {
    if (reply.status() === 400 && reply.request().method() === "GET") expect.soft(reply.url()).toBe("understood");
  });
  return context;
}

/** Opens the link and waits until the page is live. */
export async function enter(context: BrowserContext, link: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(link);
  await page.getByText("live", { exact: true }).waitFor();
  return page;
}

type Violations = readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];

/** Returns the accessibility violations of a page. */
export async function violations(page: Page, rules: "all" | "color-contrast" = "all"): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const only = rules === "all" ? "{}" : `{ runOnly: ["${rules}"] }`;
  const found: Violations = await page.evaluate(`axe.run(${only}).then(({ violations }) => violations)`);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

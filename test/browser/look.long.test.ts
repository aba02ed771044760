import { readFileSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderHtmlReport } from "../../src/surfaces/reports/html.ts";
import { NO_LIVE_STATE } from "../../src/views/page/live-state.ts";
import { buildRunPage } from "../../src/views/page/page-fold.ts";
import { makeScene } from "../cli/scene.ts";
import { histories } from "../histories/history.ts";
import { enter, inBrowser, openBrowser, serve, violations } from "./dashboard.ts";

/** Text with which an agent may try to break out of its text. */
const HOSTILE = [
  "<img src=x onerror=window.hit=1>",
  "<script>window.hit=1</script>",
  "</script><svg onload=window.hit=1>",
  '"><iframe srcdoc="<script>parent.hit=1</script>">',
  "javascript:window.hit=1",
  "{{constructor.constructor('window.hit=1')()}}",
];

inBrowser("the dashboard", () => {
  const scene = makeScene();
  let origin: string;
  let link: string;
  let run: string;
  let approval: string;

  beforeAll(async () => {
    const agents = join(scene.repo, "../hostile.yaml");
    const output = { summary: HOSTILE.join(" ") };
    const write = { path: "a.txt", content: `${HOSTILE.join("\n")}\n` };
    writeFileSync(agents, JSON.stringify({ agents: [{ role: "writer", do: [{ write }], output }] }));
    const order = ["run", "small", HOSTILE[0] ?? "", "--agents", agents, "--input", "finish=ask", "--json"];
    const { events } = await scene.signalbox(...order);
    const asked = events.find(({ type }) => type === "approval.requested");
    run = String(asked?.["run"]);
    approval = String(asked?.["approval"]);
    ({ origin, link } = await serve(scene));
  });

  test("has no axe violation on any screen, light or dark", async () => {
    const context = await openBrowser();
    const page = await enter(context, link);
    const found: string[] = [];
    for (const path of listScreens(run, approval)) {
      await page.goto(origin + path);
      await page.locator("h1").first().waitFor();
      await page.locator(".skeleton").waitFor({ state: "detached" });
      await page.emulateMedia({ colorScheme: "light" });
      found.push(...(await violations(page)).map((each) => `${path}: ${each}`));
      // The theme changes only colors.
      await page.emulateMedia({ colorScheme: "dark" });
      found.push(...(await violations(page, "color-contrast")).map((each) => `${path} in the dark: ${each}`));
    }
    expect(found).toEqual([]);
    await context.close();
  });

  test("shows agent text as text everywhere", async () => {
    const context = await openBrowser();
    const again = await scene.signalbox("ui", "--no-open", "--json");
    const page = await enter(context, String(again.events[0]?.["url"]));
    for (const path of ["/", `/q/${approval}`, `/runs/${run}`, `/runs/${run}?view=events`, `/runs/${run}/changes`]) {
      await page.goto(origin + path);
      await page.getByText("window.hit=1").first().waitFor();
      expect(await page.evaluate("window.hit")).toBe(undefined);
      expect(await page.locator("main img, main iframe, main script").count()).toBe(0);
    }
    await context.close();
  });

  test("allows answering a question on a phone: no horizontal scrolling, targets of 44 pixels", async () => {
    const context = await openBrowser({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const again = await scene.signalbox("ui", "--no-open", "--json");
    const page = await enter(context, String(again.events[0]?.["url"]));
    await page.goto(`${origin}/q/${approval}`);
    await page.getByRole("button", { name: "Answer: select a choice" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    const heights: number[] = [];
    for (const target of await page.locator("main .choice, main button, main summary, main .back-row a").all())
      heights.push((await target.boundingBox())?.height ?? 0);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await context.close();
  });

  test("fits a phone on every screen without horizontal scrolling", async () => {
    const context = await openBrowser({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const again = await scene.signalbox("ui", "--no-open", "--json");
    const page = await enter(context, String(again.events[0]?.["url"]));
    const wide: string[] = [];
    for (const path of listScreens(run, approval)) {
      await page.goto(origin + path);
      await page.locator("h1").first().waitFor();
      await page.locator(".skeleton").waitFor({ state: "detached" });
      const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
      if (width > 390) wide.push(`${path}: ${width}`);
    }
    expect(wide).toEqual([]);
    await context.close();
  });

  test("shows the question first on a phone, and unavailable actions under More", async () => {
    const context = await openBrowser({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const again = await scene.signalbox("ui", "--no-open", "--json");
    const page = await enter(context, String(again.events[0]?.["url"]));
    await page.goto(`${origin}/runs/${run}`);
    const asked = await page.getByRole("heading", { name: "Keep it?", level: 2 }).boundingBox();
    const tabs = await page.getByRole("navigation", { name: "Views of the run" }).boundingBox();
    expect(asked?.y).toBeLessThan(tabs?.y ?? 0);
    const refused = page.getByRole("button", { name: /^Stop an agent/ });
    expect(await refused.isVisible()).toBe(false);
    await page.getByText("More", { exact: true }).click();
    await refused.waitFor();
    await context.close();
  });

  test("uses one connection for eight tabs", async () => {
    const again = await scene.signalbox("ui", "--no-open", "--json");
    const { server, open } = createCountingProxy(origin);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const context = await openBrowser();
    await enter(context, String(again.events[0]?.["url"]).replace(origin, at));
    const paths = ["/", "/inbox", "/runs", "/cost", `/runs/${run}`, `/runs/${run}/gates`, `/q/${approval}`];
    for (const path of paths) {
      const page = await context.newPage();
      await page.goto(at + path);
      await page.locator("h1").first().waitFor();
    }
    await expect.poll(open).toBe(1);
    await context.close();
  });

  test("opens a report from disk without other files", async () => {
    const history = histories().find(({ pipeline }) => pipeline === "ledger");
    const shown = buildRunPage(history?.records ?? [], { ...NO_LIVE_STATE, repository: "</script><b>greeter" });
    const template = readFileSync(join(import.meta.dirname, "../../dist/web/report.html"), "utf8");
    const file = join(scene.repo, "../report.html");
    writeFileSync(file, renderHtmlReport(template, { page: shown, events: history?.records ?? [] }));
    const context = await openBrowser();
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (each) => asked.push(each.url()));
    await page.goto(pathToFileURL(file).href);
    await page.getByRole("heading", { name: "Claims and evidence" }).waitFor();
    await page.getByRole("link", { name: /^Events/ }).click();
    await page.getByText("run.started").first().waitFor();
    expect(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))).toEqual([]);
    expect(await violations(page)).toEqual([]);
    await context.close();
  });
});

function listScreens(run: string, approval: string): readonly string[] {
  const paths = ["/", "/inbox", `/q/${approval}`, "/runs", "/start", "/cost", "/compare", `/compare/${run}/${run}`];
  const views = ["", "?view=timeline", "?view=table", "?view=events", "/gates", "/changes", "/cost"];
  return [...paths, ...views.map((view) => `/runs/${run}${view}`)];
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a proxy that counts the open streams. */
function createCountingProxy(origin: string): { readonly server: Server; readonly open: () => number } {
  const { host, hostname, port } = new URL(origin);
  let streams = 0;
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, host, ...(asked.headers.origin ? { origin } : {}) };
    const onward = request(
      { hostname, port, path: asked.url, method: asked.method, headers, agent: false },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      },
    );
    if (asked.url?.startsWith("/api/stream")) {
      streams++;
      answer.once("close", () => {
        streams--;
        onward.destroy();
      });
    }
    onward.on("error", () => answer.destroy());
    asked.pipe(onward);
  });
  return { server, open: () => streams };
}

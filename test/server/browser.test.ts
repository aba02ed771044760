import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeScene } from "../cli/scene.ts";
import { served } from "./served.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((file) => existsSync(file));
const BUILT = existsSync(fileURLToPath(new URL("../../dist/web/index.html", import.meta.url)));
const HOSTILE = '<img src=x onerror="document.title=`owned`"><script>document.title=`owned`</script>';

describe.skipIf(!CHROMIUM || !BUILT)("in a real browser (skipped without Chromium or a built dashboard)", () => {
  const scene = makeScene();
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());

  test("[U-09] the link opens the dashboard once, and agent text stays text", {
    timeout: 300_000,
  }, async () => {
    const flags = ["--input", "finish=ask", "--agents", scene.agents, "--json"];
    await scene.signalbox("run", "small", `Greet ${HOSTILE}`, ...flags);
    const server = await served(scene);
    const { json } = await server.post("/api/session/code");
    const page = await browser.newPage();
    const wrong: string[] = [];
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.port}/#code=${String(json["code"])}`);
    await page.getByText("Keep it?").first().waitFor();
    expect(page.url()).not.toContain("code=");
    expect(await page.title()).not.toContain("owned");
    expect(wrong).toEqual([]);
    await page.close();
  });

  test("a page on another port gets nothing, even with the token", {
    timeout: 60_000,
  }, async () => {
    const server = await served(scene);
    const frame = `<iframe src="http://127.0.0.1:${server.port}/"></iframe>`;
    const other = createServer((_, response) => response.setHeader("content-type", "text/html").end(frame));
    await new Promise<void>((ready) => other.listen(0, "127.0.0.1", ready));
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const tried = await page.evaluate(
      async ({ port, token }) => {
        const api = `http://127.0.0.1:${port}/api`;
        const authorization = `Bearer ${token}`;
        const json = { authorization, "content-type": "application/json" };
        const tell = (reply: Response) => `${reply.type} ${reply.status}`;
        const formatError = (error: unknown) => String(error instanceof Error ? error.name : error);
        const tryFetch = (path: string, init: RequestInit) => fetch(api + path, init).then(tell, formatError);
        const socket = await new Promise<string>((resolve) => {
          const opened = new WebSocket(`ws://127.0.0.1:${port}/api/stream`);
          opened.onopen = () => resolve("open");
          opened.onerror = () => resolve("refused");
        });
        return [
          await tryFetch("/home", {}),
          await tryFetch("/home", { headers: { authorization } }),
          await tryFetch("/session/code", { method: "POST", headers: json, body: "{}" }),
          await tryFetch("/session/code", { method: "POST", mode: "no-cors", body: "{}" }),
          socket,
        ];
      },
      { port: server.port, token: server.token },
    );
    const refused = ["TypeError", "TypeError", "TypeError"];
    expect([...tried.slice(0, 3), tried[4]]).toEqual([...refused, "refused"]);
    // The browser replaces a page that forbids framing with its own error page.
    expect(page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    // The page's resource policy hides even the empty response.
    expect(["TypeError", "opaque 0"]).toContain(tried[3]);
    other.close();
    await page.close();
  });
});

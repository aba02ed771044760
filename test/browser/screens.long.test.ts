import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { makeScene } from "../cli/scene.ts";
import { enter, inBrowser, openBrowser, serve } from "./dashboard.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

inBrowser("the screens of the dashboard", () => {
  const scene = makeScene();
  let origin: string;
  let context: BrowserContext;
  let page: Page;

  /** Runs to this end or suspension. Returns the run's id. */
  const runToEnd = async (finish: string): Promise<string> => {
    const order = [
      "run",
      "small",
      `end as ${finish}`,
      "--input",
      `finish=${finish}`,
      "--agents",
      scene.agents,
      "--json",
    ];
    const { events } = await scene.signalbox(...order);
    return String(events.find(({ type }) => type === "run.started")?.["run"]);
  };
  const runs = { ask: "", pause: "", throw: "", done: "" };

  beforeAll(async () => {
    for (const finish of ["ask", "pause", "throw", "done"] as const) runs[finish] = await runToEnd(finish);
    const { origin: at, link } = await serve(scene);
    origin = at;
    context = await openBrowser();
    page = await enter(context, link);
  });

  const open = async (path: string): Promise<void> => {
    await page.goto(origin + path);
    await page.locator("h1").first().waitFor();
    await page.locator(".skeleton").waitFor({ state: "detached" });
  };

  test("show a pause as a pause everywhere, and count each open item once", async () => {
    await open("/");
    const paused = page.locator(".needs li", { hasText: "end as pause" });
    await paused.getByText("paused", { exact: true }).waitFor();
    expect(await page.locator(".needs li").count()).toBe(2);
    await paused.getByRole("link").click();
    await page.getByText("paused", { exact: true }).waitFor();
    await page.getByText("2 of 2", { exact: true }).waitFor();
    await open(`/runs/${runs.pause}`);
    await page
      .locator("h1", { hasText: /paused\s*Suspended since .*: have a look\. Needs you, to resume the run\./ })
      .waitFor();
    await page.getByRole("heading", { name: "have a look", level: 2 }).waitFor();
  });

  test("show what a broken pipeline waits for, then the reason, in separate sentences", async () => {
    await open(`/runs/${runs.throw}`);
    await page.locator("h1", { hasText: /Waiting for a fix of the pipeline since \d/ }).waitFor();
    await page.getByText(/threw Error: a bug of this pipeline\. /).waitFor();
  });

  test("offer no engine to a run that an answer continues, and no command that the page replaces", async () => {
    await open(`/runs/${runs.ask}`);
    expect(await page.getByRole("button", { name: "Resume", exact: true }).count()).toBe(0);
    await page.getByText("More", { exact: true }).click();
    await page.getByRole("button", { name: "Resume: answer its open question to continue" }).waitFor();
    await page.keyboard.press("Escape");
    await page
      .getByRole("button", { name: "Resume: answer its open question to continue" })
      .waitFor({ state: "hidden" });
    expect(await page.getByText(/signalbox (events|why|diff)/).count()).toBe(0);
  });

  test("list the open items of a finished run as its own page does", async () => {
    await open("/");
    await page
      .locator("tr", { hasText: "end as done" })
      .getByText(/committed on .*, not landed yet/)
      .waitFor();
    await open(`/runs/${runs.done}`);
    await page.locator("h1", { hasText: /Committed on .*, not landed yet\. Needs you\./ }).waitFor();
  });

  test("highlight one button among the open items, in aligned columns", async () => {
    await open("/inbox");
    expect(await page.locator(".needs .button.primary").count()).toBe(1);
    const lefts: (number | undefined)[] = [];
    for (const asked of await page.locator(".needs li > p").all()) lefts.push((await asked.boundingBox())?.x);
    expect(lefts.length).toBe(2);
    expect(new Set(lefts).size).toBe(1);
  });

  test("keep tables of numbers as tables on a phone, with their filters behind one line", async () => {
    const { link } = await openUi();
    const phone = await openBrowser(PHONE);
    const small = await enter(phone, link);
    for (const path of [`/runs/${runs.done}/cost`, `/compare/${runs.done}/${runs.ask}`]) {
      await small.goto(origin + path);
      await small.locator("table.matrix thead").first().waitFor();
    }
    await small.goto(`${origin}/runs/${runs.done}?view=table`);
    await small.getByText("Filter and group").waitFor();
    expect(await small.getByLabel("Filter steps").isVisible()).toBe(false);
    await small.goto(`${origin}/runs/${runs.done}?view=timeline`);
    expect((await small.locator(".timeline-track").first().boundingBox())?.width).toBeGreaterThan(80);
    await phone.close();
  });

  const openUi = async (): Promise<{ readonly link: string }> => {
    const { events } = await scene.signalbox("ui", "--no-open", "--json");
    return { link: String(events[0]?.["url"]) };
  };
});

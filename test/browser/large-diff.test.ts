import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { makeScene } from "../cli/scene.ts";
import { enter, inBrowser, openBrowser, serve } from "./dashboard.ts";

/** 2 MB in total; a file with more lines stays collapsed. */
const LINES = 19_500;
const TEXT = "a line of a change that is longer than most lines of code are, so that twenty thousand make two MB";

inBrowser("a change of 2 MB", () => {
  const scene = makeScene();

  test("is shown in full, scrolls to its end, and lays out only the visible part", async () => {
    const made = `i=0; while [ $i -lt ${LINES} ]; do echo "$i ${TEXT}"; i=$((i+1)); done > a.txt`;
    writeFileSync(
      scene.agents,
      stringify({ agents: [{ role: "writer", do: [{ run: made }], output: { summary: "wrote much" } }] }),
    );
    const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    const run = String(ended.events.at(-1)?.["run"]);
    const { origin, link } = await serve(scene);
    const context = await openBrowser();
    await enter(context, link);
    const page = await context.newPage();
    await page.goto(`${origin}/runs/${run}/changes`);
    const last = page.locator(".diff-line").nth(LINES - 1);
    await last.waitFor({ state: "attached" });
    expect(await page.locator(".diff-line").count()).toBe(LINES);
    const skipped = "[...document.querySelectorAll('.diff-block')].filter((b) => !b.firstElementChild.checkVisibility(";
    expect(await page.evaluate(`${skipped}{ contentVisibilityAuto: true })).length`)).toBeGreaterThan(150);
    await last.scrollIntoViewIfNeeded();
    expect(await last.textContent()).toContain(`${LINES - 1} ${TEXT}`);
    const { height = 0 } = page.viewportSize() ?? {};
    expect((await last.boundingBox())?.y).toBeLessThan(height);
    await context.close();
  });
});

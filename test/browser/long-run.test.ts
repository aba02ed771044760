import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { longRun } from "../../bench/dashboard/long-run.ts";
import { type ServedRun, servedRun } from "../../bench/dashboard/served-run.ts";
import { enter, inBrowser, openBrowser } from "./dashboard.ts";

const STEPS = 600;
/** Enough that some of them move the selected row. */
const RECORDS = 40;
let served: ServedRun | undefined;
afterAll(() => served?.close());

inBrowser("a run of many steps in the browser", () => {
  test("keeps the table's scroll position while failures arrive above it", async () => {
    const run = longRun(STEPS);
    served = await servedRun(run, { web: join(import.meta.dirname, "../../dist/web"), recordsPerSecond: 20 });
    const context = await openBrowser();
    const page = await enter(context, served.link);
    await page.goto(
      `${new URL(served.link).origin}/runs/${encodeURIComponent(run.page().head.run)}?group=none&row=gate:100`,
    );
    const box = page.locator(".rows.virtual");
    await box.waitFor();
    const scrolled = 'document.querySelector(".rows.virtual").scrollTop';
    await page.evaluate(`${scrolled} = 10000`);
    // Each record re-evaluates a gate, and failed gates are listed first, so the selected row moves.
    const readKeyBarNumber = async () =>
      Number((await page.locator(".key-bar-right").textContent())?.replace(/\D*([\d,]+).*/, "$1").replace(",", ""));
    const before = await readKeyBarNumber();
    await expect.poll(readKeyBarNumber, { timeout: 20_000 }).toBeGreaterThan(before + RECORDS);
    expect(await page.evaluate(scrolled)).toBe(10_000);
    expect(await page.locator(".step-row").count()).toBeLessThan(60);
    await context.close();
  });
});

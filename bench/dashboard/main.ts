import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { percentile } from "../figure.ts";
import { type LongRun, longRun } from "./long-run.ts";
import { servedRun } from "./served-run.ts";

// Measures a run of 5,000 steps in a browser while it continues: the time until its table is visible, and the frame
// times while the table is scrolled from end to end and records arrive. Prints the figures. Frame times mean little on
// a machine under load, so the work of the page's own thread is printed next to them. Folders of built dashboards,
// given as arguments, take turns: `npm run bench:dashboard -- /tmp/before dist/web`.

const STEPS = 5_000;
const RECORDS_PER_SECOND = 20;
const FRAMES = 240;
const TURNS = 3;
const PAGE = ["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"];

/** Source text that runs in the page: scrolls a little each frame and records the frame times. */
const SCROLL = `new Promise((resolve) => {
  const box = document.querySelector(".rows.virtual");
  const step = (box.scrollHeight - box.clientHeight) / ${FRAMES};
  const times = [];
  box.scrollTop = 0;
  let last = performance.now();
  const frame = (now) => {
    times.push(now - last);
    last = now;
    box.scrollTop += step;
    if (times.length < ${FRAMES}) requestAnimationFrame(frame);
    else resolve(times.slice(1));
  };
  requestAnimationFrame(frame);
})`;

const program = (process.env["PATH"] ?? "")
  .split(delimiter)
  .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name)))
  .find(existsSync);
if (!program) throw new Error("Chromium is not installed, so nothing was measured.");

const built = process.argv.slice(2);
const folders = built.length > 0 ? built : [fileURLToPath(new URL("../../dist/web", import.meta.url))];
const browser = await chromium.launch({
  executablePath: program,
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
try {
  console.log(`${STEPS} steps, ${RECORDS_PER_SECOND} records a second, load ${loadavg()[0]?.toFixed(1)}`);
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const web of folders)
      console.log(`${folders.length > 1 ? `${web}: ` : ""}${await measureFolder(browser, web)}`);
} finally {
  await browser.close();
}

async function measureFolder(browser: Browser, web: string): Promise<string> {
  const run = longRun(STEPS);
  const { link, close } = await servedRun(run, { web, recordsPerSecond: RECORDS_PER_SECOND });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  try {
    return await scrollTable(await context.newPage(), { run, link });
  } finally {
    await context.close();
    await close();
  }
}

async function scrollTable(
  page: Page,
  { run, link }: { readonly run: LongRun; readonly link: string },
): Promise<string> {
  const inspector = await page.context().newCDPSession(page);
  await inspector.send("Performance.enable", { timeDomain: "threadTicks" });
  /** Returns the milliseconds of work of the page's own thread, without other programs. */
  const worked = async (...parts: readonly string[]): Promise<number> => {
    const { metrics } = await inspector.send("Performance.getMetrics");
    return 1000 * metrics.filter(({ name }) => parts.includes(name)).reduce((sum, { value }) => sum + value, 0);
  };
  await page.goto(link);
  await page.getByText("live", { exact: true }).waitFor();
  const began = performance.now();
  await page.goto(`${new URL(link).origin}/runs/${encodeURIComponent(run.page().head.run)}?group=none`);
  await page.locator(".rows.virtual").waitFor();
  const table = performance.now() - began;
  // Scrolls the table into view as a person would.
  await page.locator(".step-table").scrollIntoViewIfNeeded();
  const before = run.page().seq;
  const [page0, all0] = [await worked(...PAGE), await worked("TaskDuration")];
  const times: readonly number[] = await page.evaluate(SCROLL);
  const own = ((await worked(...PAGE)) - page0) / FRAMES;
  const all = ((await worked("TaskDuration")) - all0) / FRAMES;
  const at = (share: number) => percentile(times, share).toFixed(1);
  return [
    `table after ${Math.round(table)} ms`,
    `frame ${at(0.5)} ms in the middle, ${at(0.95)} ms at 95 %, ${at(1)} ms at most`,
    `the page's thread works ${all.toFixed(1)} ms for each, script, style and layout ${own.toFixed(1)} ms`,
    `${run.page().seq - before} records came, ${await page.locator(".step-row").count()} rows drawn, load ${loadavg()[0]?.toFixed(1)}`,
  ].join("; ");
}

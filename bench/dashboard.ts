import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { htmlReport } from "../src/surfaces/reports/html.ts";
import { UNSEEN } from "../src/views/page/around.ts";
import type { GateRow, RunPage } from "../src/views/page/page.ts";
import { pageOf } from "../src/views/page/page-fold.ts";
import { histories } from "../test/histories/history.ts";

// How a run of 5,000 steps feels in a browser: how long until its table stands, and how even the frames are while it
// is scrolled from end to end. Prints; a machine under load tells nothing.

const ROWS = 5_000;
const FRAMES = 240;
const PAGE = ["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"];

/** Text, because it runs in the page: scrolls a little each frame and keeps how long each took. */
const SCROLL = `new Promise((resolve) => {
  const box = document.querySelector(".rows.virtual");
  const step = (box.scrollHeight - box.clientHeight) / ${FRAMES};
  const times = [];
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
if (!program) throw new Error("No Chromium is installed: nothing was measured.");

const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
const browser = await chromium.launch({
  executablePath: program,
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
try {
  const template = readFileSync(new URL("../dist/web/report.html", import.meta.url), "utf8");
  const file = join(folder, "report.html");
  writeFileSync(file, htmlReport(template, { page: hugePage() }));
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const inspector = await page.context().newCDPSession(page);
  await inspector.send("Performance.enable", { timeDomain: "threadTicks" });
  /** What the page's thread has worked, in milliseconds of its own: other programs do not count. */
  const worked = async (...parts: readonly string[]): Promise<number> => {
    const { metrics } = await inspector.send("Performance.getMetrics");
    return 1000 * metrics.filter(({ name }) => parts.includes(name)).reduce((sum, { value }) => sum + value, 0);
  };
  const began = performance.now();
  await page.goto(pathToFileURL(file).href);
  await page.getByRole("region", { name: "Steps" }).waitFor();
  console.log(`${ROWS} steps: table after ${Math.round(performance.now() - began)} ms`);
  await page.getByRole("button", { name: "none", exact: true }).click();
  await page.locator(".rows.virtual").waitFor();
  const [page0, all0] = [await worked(...PAGE), await worked("TaskDuration")];
  const times: readonly number[] = await page.evaluate(SCROLL);
  const perFrame = ((await worked(...PAGE)) - page0) / FRAMES;
  const all = ((await worked("TaskDuration")) - all0) / FRAMES;
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1);
  console.log(`scrolling: frame ${at(0.5)} ms in the middle, ${at(0.95)} ms at 95 %, ${at(1)} ms at most`);
  console.log(
    `the page's thread works ${all.toFixed(1)} ms for each, script, style and layout ${perFrame.toFixed(1)} ms`,
  );
  console.log(`rows drawn at once: ${await page.locator(".step-row").count()}`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** A recorded run's page with as many gates as there are steps to show. */
function hugePage(): RunPage {
  const [history] = histories();
  const page = pageOf(history?.records ?? [], { ...UNSEEN, repository: "sweep" });
  const gate = page.rows.find((row): row is GateRow => row.kind === "gate");
  if (!gate) throw new Error("The recorded run has no gate.");
  const phases = page.rows.filter((row) => row.kind === "phase");
  const rows = Array.from({ length: ROWS }, (_, at): GateRow => {
    const phase = phases[Math.floor((at / ROWS) * phases.length)]?.phase ?? gate.phase;
    const name = `package-${at % 97}/dist/file-${at}.d.ts`;
    return {
      ...gate,
      id: `gate:${at}`,
      key: `${phase}/${name}`,
      gate: name,
      phase,
      state: at % 7 === 0 ? "missed" : "passed",
    };
  });
  return { ...page, rows: [...phases, ...rows] };
}

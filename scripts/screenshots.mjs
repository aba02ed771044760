// Pictures of every screen in both themes for the docs, from runs on scripted agents that it plays itself.
// Needs a Chromium: `node scripts/screenshots.mjs [path of the program]`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { AGENTS_FILE, makeDemoProject } from "../src/cli/demo/project.ts";
import { smallPng } from "./small-png.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "docs/images");
const project = makeDemoProject();
const children = [];

/** Starts the program in the demo's repository; its events can be waited for. */
function signalbox(...args) {
  const bin = join(root, "bin/signalbox.js");
  const child = spawn(process.execPath, [bin, ...args, "--json"], {
    cwd: project.repo,
    env: project.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const events = [];
  const waiting = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return;
    const event = JSON.parse(line);
    events.push(event);
    for (const each of waiting.filter(({ fits }) => fits(event))) each.resolve(event);
  });
  const ended = new Promise((resolve) => child.once("close", () => resolve(events)));
  const heard = (fits) =>
    new Promise((resolve) => {
      const past = events.find(fits);
      if (past) resolve(past);
      else waiting.push({ fits, resolve });
    });
  return { ended, heard, kill: () => child.kill() };
}

const run = (...more) =>
  signalbox("run", "ledger", "Loud greetings, and initials", "--agents", AGENTS_FILE, "--budget", "8", ...more);
const ofType = (type) => (event) => event.type === type;

async function play() {
  const done = (await run("--approvals", "autonomous").ended).find(ofType("run.started")).run;
  const first = (await run().ended).find(ofType("approval.requested"));
  await signalbox("approve", first.approval, "--choose", first.choices[0]).ended;
  const second = (await signalbox("resume", first.run).ended).find(ofType("approval.requested"));
  const ui = signalbox("ui", "--no-open", "--port", "0");
  const { url } = await ui.heard(ofType("ui"));
  const working = run("--approvals", "autonomous");
  const at = await working.heard((event) => event.type === "agent.started" && event.key.includes("Design"));
  return { url, done, waiting: first.run, question: second.approval, working: at.run };
}

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

const { url, done, waiting, question, working } = await play();
const { origin } = new URL(url);
const screens = [
  ["run", `/runs/${working}`, WIDE],
  ["home", "/", WIDE],
  ["run-done", `/runs/${done}`, WIDE],
  ["run-waiting", `/runs/${waiting}`, WIDE],
  ["table", `/runs/${done}?view=table`, WIDE],
  ["gate", `/runs/${done}/gates`, WIDE],
  ["changes", `/runs/${done}/changes`, WIDE],
  ["cost", `/runs/${done}/cost`, WIDE],
  ["compare", `/compare/${done}/${waiting}`, WIDE],
  ["inbox-phone", "/inbox", PHONE],
  ["question-phone", `/q/${question}`, PHONE],
];

mkdirSync(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.argv[2] ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"],
});
try {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText("live", { exact: true }).waitFor();
  for (const [name, path, viewport] of screens) {
    await page.setViewportSize(viewport);
    await page.goto(origin + path);
    await page.locator("h1").first().waitFor();
    await page.waitForLoadState("networkidle", { timeout: 3000 }).catch(() => undefined);
    if (name === "run") await page.getByRole("columnheader", { name: "Running" }).waitFor();
    if (name === "gate") await page.getByText("SQL", { exact: true }).waitFor();
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      writeFileSync(join(out, `${name}-${colorScheme}.png`), smallPng(await page.screenshot()));
    }
  }
} finally {
  await browser.close();
  // What still works there writes there: the folder goes when nobody does any more.
  const gone = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  for (const child of gone) child.kill();
  await Promise.all(gone.map((child) => once(child, "exit")));
  rmSync(project.home, { recursive: true, force: true });
}

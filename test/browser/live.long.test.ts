import { mkdirSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { makeScene } from "../cli/scene.ts";
import { enter, inBrowser, openBrowser, serve, violations } from "./dashboard.ts";

inBrowser("a run in the browser", () => {
  // Its agent looks for a file outside its folder.
  const scene = makeScene({ env: { SIGNALBOX_SANDBOX: "off" } });
  let context: BrowserContext;
  let origin: string;

  beforeAll(async () => {
    const { origin: at, link } = await serve(scene);
    origin = at;
    context = await openBrowser();
    await enter(context, link);
  });

  const runSmall = (finish: string, agents = scene.agents) =>
    scene.start("run", "small", "write it", "--input", `finish=${finish}`, "--agents", agents, "--json");
  const startSuspendedRun = async (): Promise<{ readonly run: string; readonly approval: string }> => {
    const { events } = await runSmall("ask").ended;
    const asked = events.find(({ type }) => type === "approval.requested");
    return { run: String(asked?.["run"]), approval: String(asked?.["approval"]) };
  };

  test("draws its graph while it runs, without reloading the page", async () => {
    const go = join(scene.repo, "../go");
    const agents = join(scene.repo, "../slow.yaml");
    const held = `until [ -e ${go} ]; do sleep 0.1; done`;
    writeFileSync(
      agents,
      `agents:\n  - role: writer\n    do: [{ run: "${held}" }, { write: { path: a.txt, content: x } }]\n    output: { summary: waited }\n`,
    );
    const talk = runSmall("done", agents);
    const run = String((await talk.heard("agent.started"))["run"]);
    const page = await context.newPage();
    await page.goto(`${origin}/runs/${run}`);
    await page.getByRole("button", { name: "writer, round 1: running" }).waitFor();
    await page.evaluate("window.sameLoad = true");
    writeFileSync(go, "");
    await page.getByRole("button", { name: "writer, round 1: answered" }).waitFor();
    await page.getByRole("button", { name: "wrote, round 1: passed" }).waitFor();
    await page.locator("h1", { hasText: "done" }).waitFor();
    expect(await page.evaluate("window.sameLoad")).toBe(true);
    await talk.ended;
    await page.close();
  });

  test("continues after an answer from its page: no choice is preselected, and the button names the choice", async () => {
    const { run } = await startSuspendedRun();
    const page = await context.newPage();
    await page.goto(`${origin}/runs/${run}`);
    await page.getByRole("button", { name: "Answer: select a choice" }).waitFor();
    expect(await page.locator("input[type=radio]:checked").count()).toBe(0);
    await page.getByRole("radio", { name: /^keep/ }).check();
    await page.getByRole("button", { name: "Answer: keep", exact: true }).click();
    await page.locator("h1", { hasText: "done" }).waitFor();
    await page.close();
  });

  test("requires a note if a choice needs one", async () => {
    const { approval } = await startSuspendedRun();
    const page = await context.newPage();
    await page.goto(`${origin}/q/${approval}`);
    await page.getByRole("radio", { name: /^revise/ }).check();
    await page.getByRole("button", { name: "Answer: revise: enter a note" }).waitFor();
    await page.getByLabel("Note for the next agent").fill("shorter");
    await page.getByRole("button", { name: "Answer: revise", exact: true }).waitFor();
    await page.close();
  });

  test("shows who answered first elsewhere, and records nothing from this page", async () => {
    const { run, approval } = await startSuspendedRun();
    const page = await context.newPage();
    await page.goto(`${origin}/q/${approval}`);
    await page.getByRole("radio", { name: /^abort/ }).check();
    await scene.signalbox("approve", approval, "--choose", "keep");
    await page.getByText("Already answered").waitFor();
    await page.getByText("Your answer was not recorded").waitFor();
    expect(await page.getByRole("button", { name: /^Answer/ }).count()).toBe(0);
    await scene.signalbox("resume", run);
    await page.close();
  });

  test("can be operated by keyboard alone, from home to an answer", async () => {
    const { run, approval } = await startSuspendedRun();
    const page = await context.newPage();
    await page.goto(origin);
    await page.getByRole("link", { name: "Keep it?" }).first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${origin}/runs/${run}`);
    await page.locator("h1").waitFor();
    for (const [key, view] of [
      ["2", "timeline"],
      ["3", "table"],
      ["4", "events"],
      ["1", "graph"],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForURL(`**view=${view}*`);
    }
    await page.keyboard.press("k");
    await page.waitForURL(/row=/);
    await page.keyboard.press("a");
    await page.waitForURL(`**/q/${approval}`);
    await page.getByRole("radio", { name: /^keep/ }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Answer: keep", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Recorded: keep").waitFor();
    // Holds also after the change arrives, because this page caused it.
    await page.getByRole("link", { name: "View run" }).waitFor();
    expect(await page.getByText("Already answered").count()).toBe(0);
    await page.getByText(/· small · write it ·/).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.waitForURL(`${origin}/`);
    await page.close();
  });

  test("starts with the pipeline's inputs and the selected agents, and shows why it cannot start", async () => {
    const page = await context.newPage();
    await page.goto(`${origin}/start`);
    await page.getByLabel("Pipeline").selectOption("small");
    await page.getByRole("button", { name: "Start: enter a request" }).waitFor();
    await page.getByLabel("Request").fill("write it");
    await page.getByLabel("finish").selectOption("done");
    await page.getByLabel("Agents").fill("writer=nobody");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "nobody" }).waitFor();
    await page.close();
  });

  test("is forked from a phase with selected agents, and their missing capabilities are shown", async () => {
    const { run } = await startSuspendedRun();
    const page = await context.newPage();
    await page.goto(`${origin}/runs/${run}`);
    await page.getByRole("button", { name: /^Fork|^Run again from/ }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Start at").locator("option").allTextContents()).toEqual(["1 Write", "2 Decide"]);
    await dialog.getByLabel("Agent").selectOption("codex");
    const asked = page.waitForRequest(/\/fork$/);
    await dialog.getByRole("button").last().click();
    expect((await asked).postDataJSON()).toMatchObject({ phase: "2 Decide", agents: ["*=codex"] });
    await page.close();
  });

  test("stays readable when its server stops, shows since when it is not live, and accepts no answers", async () => {
    const { approval } = await startSuspendedRun();
    const { origin: at, link, stop } = await serve(scene);
    const alone = await openBrowser();
    const page = await enter(alone, link);
    await page.goto(`${at}/q/${approval}`);
    await page.getByRole("radio", { name: /^keep/ }).check();
    stop();
    await page.getByText("Not live.").waitFor();
    await page.getByText(/not live since \d\d:\d\d:\d\d/).waitFor();
    await page.getByRole("button", { name: "Answer: keep: not live" }).waitFor();
    await page.getByRole("heading", { name: "Keep it?" }).waitFor();
    await alone.close();
  });

  test("shows an accessible alert with the reason while runs cannot be read", async () => {
    const other = makeScene();
    const order = ["run", "small", "x", "--input", "finish=ask", "--agents", other.agents, "--json"];
    const { events } = await other.signalbox(...order);
    const alone = await openBrowser();
    const page = await enter(alone, (await serve(other)).link);
    await page.getByText("Keep it?").first().waitFor();
    const database = join(other.repo, ".signalbox/signalbox.db");
    renameSync(database, `${database}.aside`);
    mkdirSync(database);
    const banner = page.getByRole("alert").filter({ hasText: "Could not open the database." });
    await banner.waitFor();
    expect(await page.getByText("No runs on this machine").count()).toBe(0);
    await page.emulateMedia({ colorScheme: "light" });
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page)).toEqual([]);
    // A long path on a narrow phone.
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    rmdirSync(database);
    renameSync(`${database}.aside`, database);
    await banner.waitFor({ state: "detached" });
    await page.getByText("Keep it?").first().waitFor();
    await other.signalbox("cancel", String(events[0]?.["run"]));
    await alone.close();
  });
});

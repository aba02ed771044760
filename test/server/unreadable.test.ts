import { mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeScene } from "../cli/scene.ts";
import { at, type Doc, type Served, served } from "./served.ts";

const scene = makeScene();
const database = join(scene.repo, ".signalbox/signalbox.db");
let page: Served;
let run: string;

beforeAll(async () => {
  const flags = ["--input", "finish=ask", "--agents", scene.agents, "--json"];
  const { events } = await scene.signalbox("run", "small", "x", ...flags);
  run = String(events[0]?.["run"]);
  page = await served(scene);
}, 300_000);
afterAll(async () => {
  await scene.signalbox("cancel", run);
});

/** Reads the home stream until the condition holds. */
async function readUntil(lines: AsyncGenerator<Doc>, is: (home: Doc) => boolean): Promise<Doc> {
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    // A line of type `home` has this field.
    if (line.value["type"] === "home" && is(line.value["home"] as Doc)) return line.value["home"] as Doc;
  }
  throw new Error("the stream ended before it was told");
}

const isReadable = (home: Doc): boolean => at(home, "unreadable", "length") === 0;
const isUnreadable = (home: Doc): boolean => !isReadable(home);
const NOTHING = { needs: [], running: [], recent: [], repositories: [{ name: "repo" }] };

describe("a store that cannot be read", { timeout: 300_000 }, () => {
  test("is shown with its reason in place of its runs, until it is readable again", async () => {
    const lines = page.lines("/api/stream?home=1");
    expect(await readUntil(lines, isReadable)).toMatchObject({ running: [{ run }] });
    renameSync(database, `${database}.aside`);
    mkdirSync(database);
    const because = expect.stringMatching(/^Could not open the database\. .*signalbox\.db.* Check the folder/);
    expect(await readUntil(lines, isUnreadable)).toMatchObject({
      ...NOTHING,
      unreadable: [{ repository: "repo", because }],
    });
    expect(await page.get("/api/home")).toMatchObject({ ...NOTHING, unreadable: [{ repository: "repo", because }] });
    rmdirSync(database);
    renameSync(`${database}.aside`, database);
    expect(await readUntil(lines, isReadable)).toMatchObject({ needs: [{ run }], running: [{ run }] });
    await lines.return(undefined);
  });

  test("is shown without its password if it is an unresponsive team database", async () => {
    const lines = page.lines("/api/stream?home=1");
    await readUntil(lines, isReadable);
    scene.git("remote", "add", "origin", scene.repo);
    // No server listens on this port.
    const config = scene.put(".signalbox/config.local.yaml", "postgres: postgres://ada:open-sesame@127.0.0.1:1/team\n");
    const home = await readUntil(lines, isUnreadable);
    const because = expect.stringContaining("Could not connect to Postgres at postgres://ada@127.0.0.1:1/team");
    expect(home).toMatchObject({ ...NOTHING, unreadable: [{ repository: "repo", because }] });
    expect(JSON.stringify(home)).not.toContain("sesame");
    rmSync(config);
    expect(await readUntil(lines, isReadable)).toMatchObject({ running: [{ run }] });
    await lines.return(undefined);
  });
});

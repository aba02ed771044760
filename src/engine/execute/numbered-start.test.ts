import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { executorStage, RUN } from "../../../test/support/performing.ts";
import { pipeWith } from "../../../test/support/pipe.ts";
import type { Effect } from "../../core/journal/effect.ts";
import { createScriptedDriver } from "../../drivers/scripted/scripted-driver.ts";

const { at, git, performer: performerWith } = executorStage(pipeWith([]));
const performer = () => performerWith(createScriptedDriver({ file: "the test", agents: [] }));
const signal = new AbortController().signal;

function check(run: string, fence?: number): Effect<"check"> {
  const request = { tree: git("rev-parse", "HEAD^{tree}"), commands: [{ name: "test", run }] };
  return { id: `${RUN}/1/check@after`, run: RUN, kind: "check", request, ...(fence === undefined ? {} : { fence }) };
}

const lines = (name: string) =>
  existsSync(at(name)) ? readFileSync(at(name), "utf8").split("\n").filter(Boolean) : [];

async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 20_000; !condition(); await new Promise((resolve) => setTimeout(resolve, 5))) {
    if (Date.now() > deadline) throw new Error("it never happened");
  }
}

/** Notes what it is called by, and waits for the file that lets it end. */
const WAITS = () =>
  `echo "$SIGNALBOX_COOKIE $HOME $SIGNALBOX_NAME" >> ${at("seen")}; until [ -e ${at("go")} ]; do sleep 0.02; done`;

test("each start of a check has a mark, a home, a name and a spool of its own", async () => {
  writeFileSync(at("go"), "");
  const { perform } = await performer();
  for (const fence of [1, 1, 2]) expect(await perform(check(WAITS(), fence), signal)).toMatchObject([{ exitCode: 0 }]);
  const seen = lines("seen").map((line) => line.split(" "));
  for (const column of [0, 1, 2]) expect(new Set(seen.map((words) => words[column])).size).toBe(3);
  const [effect = ""] = readdirSync(at("runs", RUN, "spool"));
  expect(readdirSync(at("runs", RUN, "spool", effect)).sort()).toEqual(["1.1", "1.2", "2.1"]);
});

test("a later start ends the processes of earlier ones, and an engine that wakes ends none of later ones", async () => {
  const [sleeper, heir] = [await performer(), await performer()];
  const asleep = new AbortController();
  const first = Promise.allSettled([sleeper.perform(check(WAITS(), 1), asleep.signal)]);
  await until(() => lines("seen").length === 1);
  const second = heir.perform(check(WAITS(), 2), signal);
  // Ended by its heir, the first runs once more; then comes the word that the run is another's.
  await until(() => lines("seen").length === 3);
  const late = sleeper.perform(check(WAITS(), 1), asleep.signal);
  await until(() => lines("seen").length >= 4);
  asleep.abort();
  await Promise.all([first, late]);
  writeFileSync(at("go"), "");
  expect(await second).toMatchObject([{ exitCode: 0, snippet: "" }]);
  expect(lines("seen").filter((line) => line.includes("~2."))).toHaveLength(1);
});

test("[A-20] a check that was killed from outside is run again, and says so", async () => {
  const { perform } = await performer();
  const once = `if [ -e ${at("killed")} ]; then echo fine; else touch ${at("killed")}; kill -KILL $$; fi`;
  expect(await perform(check(once), signal)).toMatchObject([
    { exitCode: 0, snippet: "[SIGKILL from another process ended the first run, so it was run again]\nfine" },
  ]);
});

test.each(["KILL", "TERM"])("[A-20] a check that SIG%s ends twice is no verdict: a person has to look", async (by) => {
  const { perform } = await performer();
  const killed = perform(check(`echo x >> ${at("runs-of-it")}; kill -${by} $$`), signal);
  await expect(killed).rejects.toMatchObject({ code: "CHECK_KILLED", message: expect.stringContaining(`by SIG${by}`) });
  expect(lines("runs-of-it")).toHaveLength(2);
});

test("[A-20] a set-up that is killed twice is no verdict on the tree either", async () => {
  const { perform } = await performer();
  const effect = check("true");
  const killed = perform({ ...effect, request: { ...effect.request, setup: { run: "kill -KILL $$" } } }, signal);
  await expect(killed).rejects.toMatchObject({ code: "CHECK_KILLED", message: expect.stringMatching(/^set-up /) });
});

test.each([
  ["SEGV", 139],
  ["ABRT", 134],
] as const)("[A-20] a check that dies of its own SIG%s is red, and run once", async (by, exitCode) => {
  const { perform } = await performer();
  const [seen] = await perform(check(`echo x >> ${at("runs-of-it")}; kill -${by} $$`), signal);
  expect(seen).toMatchObject({ exitCode });
  expect(seen?.notRun).toBeUndefined();
  expect(lines("runs-of-it")).toHaveLength(1);
});

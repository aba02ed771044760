import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createRealWorld } from "../../src/cli/real-world.ts";
import { createSqliteHost } from "../../src/hosts/sqlite/host.ts";
import { seeded } from "../crash/seeded.ts";
import { PAIRS, type Pair, type Played, type Said, titleOf, type Word, wrongIn } from "./pairs.ts";
import { makeScene } from "./scene.ts";

const scene = makeScene();

async function startSuspendedRun(
  finish: "ask" | "pause",
): Promise<{ readonly approval: string; readonly run: string }> {
  const flags = ["--input", `finish=${finish}`, "--agents", scene.agents, "--json"];
  const ended = await scene.signalbox("run", "small", "x", ...flags);
  expect(ended.exit).toBe(3);
  const asked = ended.events.find((event) => event.type === "approval.requested");
  return { approval: String(asked?.["approval"]), run: String(asked?.["run"]) };
}

describe("[A-32] two answers to the same question", { timeout: 300_000 }, () => {
  test("the second answer is rejected as already answered, before and after an engine reads the first", async () => {
    const { approval, run } = await startSuspendedRun("ask");
    const first = await scene.signalbox("approve", approval, "--choose", "revise", "--note", "shorter");
    expect(first.out).toContain("every agent started before the run's next commit reads it");
    const before = await scene.signalbox("approve", approval);
    expect(before.exit).toBe(2);
    expect(before.err).toContain("already answered: revise by ");
    expect((await scene.signalbox("inbox")).out).toContain("already answered: revise by ");
    expect((await scene.signalbox("land", run)).err).toContain("its question was answered (revise by ");
    const why = await scene.signalbox("why", run);
    expect(why.out).toContain("already answered: revise by ");
    expect(why.out).not.toContain("--choose");
    expect(JSON.parse((await scene.signalbox("why", run, "--json")).out)).toMatchObject({
      open: [],
      answered: [{ approval, choice: "revise" }],
    });
    await scene.signalbox("resume", run);
    const after = await scene.signalbox("reject", approval.slice(0, 8));
    expect(after.exit).toBe(2);
    expect(after.err).toContain("already answered: revise by ");
  });

  test("a pause is answered once: a second answer is rejected, and `resume` still continues the run", async () => {
    const { approval, run } = await startSuspendedRun("pause");
    expect((await scene.signalbox("approve", approval, "--note", "first")).exit).toBe(0);
    const second = await scene.signalbox("approve", approval);
    expect(second.exit).toBe(2);
    expect(second.err).toContain("already answered: resume by ");
    const resumed = await scene.signalbox("resume", run, "--note", "second");
    expect(resumed.exit).toBe(0);
    expect(resumed.out).toContain("already answered: resume by ");
    const events = (await scene.signalbox("events", run, "--json")).events;
    expect(events.filter((event) => event.type === "run.resumed")).toMatchObject([{ note: "first" }]);
  });
});

/** Number of pairs to run; by default each pair once. */
const COUNT = Number(process.env["SIGNALBOX_PAIRS"] ?? PAIRS.length);
const TIMEOUT_MS = 120_000 + COUNT * 30_000;

/** `resume` starts slower than the other commands, so those wait a part of this time to overlap with it. */
const MOST_LAG_MS = 1_500;
const random = seeded(32);

async function playPair({ parked: finish, words }: Pair): Promise<Played> {
  const { approval, run } = await startSuspendedRun(finish);
  const sendAnswer = async (word: Word, n: number): Promise<Said> => {
    const note = `the word of person ${n}`;
    if (word !== "resume" && words.includes("resume")) await wait(random() * MOST_LAG_MS);
    const named = word === "approve" || word === "reject" ? approval : run;
    return { word, note, ...(await scene.signalbox(word, named, "--note", note)) };
  };
  const said = await Promise.all([sendAnswer(words[0], 1), sendAnswer(words[1], 2)]);
  const host = createSqliteHost({ file: join(scene.repo, ".signalbox/signalbox.db"), world: createRealWorld({}) });
  try {
    return { parked: finish, words, said, records: await host.journal.load(run) };
  } finally {
    await host.close();
  }
}

test(`[A-32] two answers at once from two processes, ${COUNT} pairs: one counts, and the other learns who gave it`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const pairs = Array.from({ length: COUNT }, (_, n) => PAIRS[n % PAIRS.length]).filter((pair) => pair !== undefined);
  const exits = new Map<string, number>();
  const wrong: string[] = [];
  const runLane = async () => {
    for (let pair = pairs.shift(); pair; pair = pairs.shift()) {
      const played = await playPair(pair);
      wrong.push(...wrongIn(played));
      const line = `${titleOf(pair)}: ${played.said.map(({ exit }) => exit).join(", ")}`;
      exits.set(line, (exits.get(line) ?? 0) + 1);
    }
  };
  await Promise.all([runLane(), runLane()]);
  const lines = [...exits]
    .map(([line, count]) => `  ${count} x ${line}`)
    .sort((a, b) => a.slice(5).localeCompare(b.slice(5)));
  console.log([`${COUNT} pairs at once, ${wrong.length} wrong; exits:`, ...lines].join("\n"));
  expect(wrong).toEqual([]);
});

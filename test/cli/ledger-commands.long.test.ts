import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { hashChain } from "../../src/engine/drive/recorder.ts";
import { BIN } from "../support/program.ts";
import { makeWitness, SECRET } from "./witness.ts";

const { scene, run: play } = makeWitness();
const database = join(scene.repo, ".signalbox/signalbox.db");
const runs = { good: "", stubborn: "", mute: "" };
const SLOW = `agents:
  - role: maker
    do: [{ sleep: 1500 }, { write: { path: answer.txt, content: "42\\n!\\n" } }]
    output: { summary: slow and steady }
`;
const runJson = async (...args: readonly string[]) => JSON.parse((await scene.signalbox(...args, "--json")).out);

beforeAll(async () => {
  runs.good = await play("good");
  runs.stubborn = await play("stubborn");
  runs.mute = await play("mute");
});

describe("gate", () => {
  test("shows a rule's recorded and current results with the rows it reads", async () => {
    const { evaluations, passed } = await runJson("gate", "w-1", "--run", runs.good);
    expect(passed).toBe(true);
    expect(evaluations).toMatchObject([
      { rule: "W-1", recorded: { passed: false, actual: 0, need: 1 }, now: { passed: false, actual: 0 }, agrees: true },
      { rule: "W-1", recorded: { passed: true, actual: 1 }, now: { passed: true, actual: 1 }, agrees: true },
    ]);
    expect(evaluations[0].rows).toEqual([{ table: "anvil_checks", rows: [], more: false }]);
    expect(evaluations[1].rows[0].rows).toHaveLength(1);
    const { out } = await scene.signalbox("gate", "W-1", "--run", runs.good);
    expect(out).toContain("✗ W-1 failed  the test must pass after the change");
    expect(out).toMatch(/recorded {2}1 · passed, needs at least 1\n {2}now {7}1 · the same/);
    expect(measureWidth(out)).toBeLessThanOrEqual(100);
  });

  test("re-evaluates rules over values too, by replaying the run", async () => {
    const { evaluations } = await runJson("gate", "good enough", "--run", runs.good);
    const values = evaluations.filter((each: { rule: string }) => each.rule === "W-2");
    expect(values).toMatchObject([{ agrees: true }, { now: { passed: true, actual: 12, need: 4 }, agrees: true }]);
  });

  test("exits with 0 if the result is a failure, and with 1 if --check is given", async () => {
    expect((await scene.signalbox("gate", "W-1", "--run", runs.stubborn)).exit).toBe(0);
    expect((await scene.signalbox("gate", "W-1", "--run", runs.stubborn, "--check")).exit).toBe(1);
    expect((await scene.signalbox("gate", "W-1", "--run", runs.good, "--check")).exit).toBe(0);
  });

  test("--sql prints a query that runs unchanged, with its parameters as data", async () => {
    const { out } = await scene.signalbox("gate", "good enough", "--run", runs.good, "--sql");
    expect(out).toContain(`-- :run = '${runs.good}'  :task = 't1'  :round = 2`);
    expect(out).toContain("-- W-2 of witness: the maker must say what it did");
    const { rules } = await runJson("gate", "W-1", "--run", runs.good, "--sql");
    expect(rules).toMatchObject([{ id: "W-1", need: 1, compare: "at least", parameters: ["run", "task", "round"] }]);
    const db = new DatabaseSync(database, { readOnly: true });
    expect(db.prepare(rules[0].sql).get(rules[0].params)).toEqual({ actual: 1 });
    db.close();
  });

  test("--sql of a built-in rule needs neither a run nor a repository", () => {
    const nowhere = mkdtempSync(join(tmpdir(), "signalbox-nowhere-"));
    const out = execFileSync(process.execPath, [BIN, "-C", nowhere, "gate", "EG-6", "--sql"], { encoding: "utf8" });
    rmSync(nowhere, { recursive: true });
    expect(out).toMatch(/^-- EG-6 of ledger: /);
    expect(out).toMatch(/FROM anvil_checks a WHERE a\.run_id = :run/);
  });

  test("a repository's rules are not run without trust: the recorded result is shown, and no new one is computed", () => {
    const nowhere = mkdtempSync(join(tmpdir(), "signalbox-nowhere-"));
    const env = { PATH: process.env["PATH"], HOME: nowhere };
    const asked = [BIN, "-C", scene.repo, "gate", "W-1", "--run", runs.good, "--json"];
    const { status, stdout } = spawnSync(process.execPath, asked, { env, encoding: "utf8" });
    rmSync(nowhere, { recursive: true });
    expect(status).toBe(4);
    const unjudged = { now: null, agrees: null, unknown: expect.stringContaining("--trust") };
    expect(JSON.parse(stdout).evaluations).toMatchObject([{ recorded: { passed: false }, ...unjudged }, unjudged]);
  });

  test("an unknown name is refused with the nearest one", async () => {
    const { exit, err } = await scene.signalbox("gate", "good enuf", "--run", runs.good);
    expect(exit).toBe(2);
    expect(err).toContain('Did you mean "good enough"?');
    expect((await scene.signalbox("gate", "W-1", "--run", runs.mute)).err).toContain("It has evaluated none yet");
  });
});

describe("sql", () => {
  test("prints a table that fits the width, or data", async () => {
    const query = "SELECT task_id, check_name, command, tree FROM anvil_checks ORDER BY id LIMIT 3";
    const { out, exit } = await scene.signalbox("sql", query);
    expect(exit).toBe(0);
    expect(out).toMatch(/^task_id +check_name +command +tree\n/);
    expect(out).toContain("3 rows");
    expect(measureWidth(out)).toBeLessThanOrEqual(100);
    expect(await runJson("sql", "SELECT 1 AS one, NULL AS none")).toEqual({
      v: 1,
      columns: ["one", "none"],
      rows: [[1, null]],
      truncated: false,
    });
  });

  test("a query that would write is refused and changes nothing", async () => {
    const { exit, err } = await scene.signalbox("sql", "DELETE FROM inbox");
    expect([exit, err]).toEqual([2, expect.stringContaining("not authorized")]);
  });
});

describe("evidence", () => {
  test("shows evidence beside claims, without secrets or escape codes", async () => {
    const { out } = await scene.signalbox("evidence", runs.good);
    expect(out).toMatch(/maker claims +scripted +attempt 2 +[0-9a-f]{7} +summary: all tests pass \|/);
    expect(out).toMatch(/after +test +✗ regression +exit 1 .*the answer is not 42/);
    expect(out).toMatch(/after +test +✓ passed +exit 0/);
    expect(out).not.toContain(SECRET);
    expect(out).not.toContain("\u001b");
    expect(measureWidth(out)).toBeLessThanOrEqual(100);
  });

  test("--check considers the last result of every check", async () => {
    expect(await runJson("evidence", runs.good, "--check")).toMatchObject({
      passed: true,
      // Evidence without a task: before the first dispatch, and before the commit.
      tasks: [{ task: "" }, { task: "t1" }],
    });
    expect((await scene.signalbox("evidence", runs.stubborn)).exit).toBe(0);
    expect((await scene.signalbox("evidence", runs.stubborn, "--check")).exit).toBe(1);
  });
});

describe("evidence --verify", () => {
  test("an untouched run agrees in journal, ledger and the anchor in its commit", async () => {
    const seen = await runJson("evidence", runs.good, "--verify", "--check");
    expect(seen).toMatchObject({ agrees: true, differences: [] });
    expect(seen.anchors).toMatchObject([
      { place: expect.stringMatching(/^commit [0-9a-f]{10}$|^refs\/signalbox\//), state: "holds" },
      { place: expect.stringMatching(/^commit [0-9a-f]{10}$|^refs\/signalbox\//), state: "holds" },
    ]);
    const { out } = await scene.signalbox("evidence", runs.good, "--verify");
    expect(out).toContain(`${runs.good}: no differences`);
    expect(out).toContain("not that a command tested the right thing");
  });

  test("changed, missing and added rows are named by their ids and records", async () => {
    const edits = [
      "DROP TRIGGER checks_are_fixed",
      "DROP TRIGGER checks_stay",
      `UPDATE anvil_checks SET passed = 1, exit_code = 0 WHERE run_id = '${runs.good}' AND passed = 0`,
      `DELETE FROM anvil_checks WHERE run_id = '${runs.good}' AND check_name = 'tamper' AND round = 2`,
      `INSERT INTO pipeline_telemetry (run_id, step, agent, started_at, ts) VALUES ('${runs.good}', 'x', 'y', 'z', 'z')`,
    ];
    const { verified, gate } = await verifyTampered(edits);
    const messages = verified.differences.map((each: { message: string }) => each.message);
    expect(messages).toEqual([
      expect.stringMatching(
        /^anvil_checks row \d+: exit_code is 0, the journal says 1; passed is 1, the journal says 0 \(record \d+\)$/,
      ),
      expect.stringMatching(/^pipeline_telemetry row \d+ does not follow from any record$/),
      expect.stringMatching(/^anvil_checks is missing a row of record \d+$/),
    ]);
    expect(verified.exit).toBe(1);
    // The gate is re-evaluated over the recorded rows, and the result says that today's rows differ.
    expect(gate).toMatchObject({
      exit: 1,
      evaluations: [{ agrees: true, recorded: { actual: 0 }, now: { actual: 0 } }, { agrees: true }],
      difference: messages[0],
    });
  });

  test("a changed record is named by itself, a removed one by its gap", async () => {
    const changed = `UPDATE journal SET fact = REPLACE(fact, '"choice":"keep"', '"choice":"drop"') WHERE run = '${runs.good}' AND type = 'approval.decided'`;
    const removed = `DELETE FROM journal WHERE run = '${runs.good}' AND seq = 3`;
    const seq = (
      await runJson("sql", `SELECT seq FROM journal WHERE run = '${runs.good}' AND type = 'approval.decided'`)
    ).rows[0][0];
    const { verified } = await verifyTampered([
      "DROP TRIGGER journal_is_fixed",
      "DROP TRIGGER journal_stays",
      changed,
      removed,
    ]);
    expect(verified.differences).toMatchObject([
      { where: "journal", seq: 3, message: "record 3 is missing" },
      { where: "journal", seq, message: expect.stringContaining(`record ${seq} (approval.decided)`) },
    ]);
  });

  test("a rewritten journal with matching hashes differs from the anchor in the commit", async () => {
    const { verified } = await verifyTampered(["DROP TRIGGER journal_is_fixed"], rewriteChain);
    const found: readonly { where: string; message: string }[] = verified.differences;
    expect(found.every((each) => each.where === "anchor")).toBe(true);
    expect(found.map((each) => each.message)).toContainEqual(
      expect.stringMatching(/^commit \w+ contains the hash \w+ of record \d+, but the journal has \w+ there$/),
    );
  });

  test("an anchor under refs/signalbox with another hash is named", async () => {
    const ref = `refs/signalbox/${runs.stubborn}/chain`;
    const input = "f".repeat(64);
    const blob = execFileSync("git", ["-C", scene.repo, "hash-object", "-w", "--stdin"], { input, encoding: "utf8" });
    const before = scene.git("for-each-ref", "--format=%(objectname)", ref).trim();
    scene.git("update-ref", ref, blob.trim());
    const { differences } = await runJson("evidence", runs.stubborn, "--verify");
    scene.git("update-ref", ...(before ? [ref, before] : ["-d", ref]));
    expect(differences).toMatchObject([
      { where: "anchor", message: expect.stringContaining(`${ref} contains the hash ffffffffffff`) },
    ]);
  });
});

describe("audit", () => {
  test("re-evaluates the gates of a ledger and exits with 1 for a failed one only with --check", async () => {
    const audited = await runJson("audit", ".signalbox/signalbox.db");
    expect(Object.keys(audited.totals)).toEqual(["EG-1", "EG-2", "EG-3", "EG-4", "EG-5", "EG-6"]);
    expect(audited.totals["EG-1"]).toMatchObject({ fail: 0 });
    expect(audited.totals["EG-2"].fail).toBeGreaterThan(0);
    expect((await scene.signalbox("audit", ".signalbox/signalbox.db")).exit).toBe(0);
    expect((await scene.signalbox("audit", ".signalbox/signalbox.db", "--check")).exit).toBe(1);
  });
});

describe("why", () => {
  test("a run stopped by its gate shows the rule, its numbers, and the claim that the evidence contradicts", async () => {
    const { out } = await scene.signalbox("why", runs.stubborn);
    expect(out).toContain("reason: two rounds were not enough");
    expect(out).toMatch(/✗ W-1 {2}0, needs at least 1 {2}the test must pass after the change/);
    expect(out).toContain("t1: maker claims summary: all tests pass");
    expect(out).toContain("✗ engine: test regression, exit 1");
    expect(out).toContain(`signalbox gate W-1 --run ${runs.stubborn}`);
    expect(out.split("\n").length).toBeLessThan(24);
  });

  test("without an id it shows the newest run; one that an agent failed shows the agent's last output", async () => {
    const why = await runJson("why");
    expect(why).toMatchObject({
      run: runs.mute,
      exit: 1,
      failures: [{ role: "maker", attempts: 2, outcome: "failed" }],
    });
    const { out } = await scene.signalbox("why", runs.mute);
    expect(out).toMatch(/contract: .*\n +last output: “.+”/);
    expect(out).toContain(`signalbox logs ${runs.mute} --step '1 Work/round-1/maker'`);
  });
});

describe("logs", () => {
  test("prints a header for every attempt and strips escape codes and secrets", async () => {
    const { out } = await scene.signalbox("logs", runs.good);
    expect(out.match(/^── .*$/gm)).toHaveLength(3);
    expect(out).toMatch(/── 1 Work\/round-1\/maker {2}attempt 1 {2}failed after/);
    expect(out).toContain("429 Too Many Requests");
    expect(out).toContain("all tests");
    expect(out).not.toContain(SECRET);
    expect(out).not.toContain("\u001b");
  });

  test("--step accepts a prefix of the key, --lines limits each attempt", async () => {
    const { attempts } = await runJson("logs", runs.good, "--step", "1 Work/round-2", "--lines", "1");
    expect(attempts).toMatchObject([{ key: "1 Work/round-2/maker", outcome: "done", stdout: { cut: true } }]);
    expect(attempts[0].stdout.lines).toHaveLength(1);
    const wrong = await scene.signalbox("logs", runs.good, "--step", "9");
    expect([wrong.exit, wrong.err]).toEqual([2, expect.stringContaining("1 Work/round-1/maker")]);
    expect((await scene.signalbox("logs", "--lines", "few")).exit).toBe(2);
  });

  test("--output shows the output of one check and no other file", async () => {
    const { out: told } = await scene.signalbox("events", runs.stubborn, "--json");
    const events = told
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { output } = events.find((each) => each.type === "evidence.recorded" && each.exitCode === 1);
    expect((await scene.signalbox("logs", runs.stubborn, "--output", output)).out).toBe("   the answer is not 42\n");
    expect((await runJson("logs", runs.stubborn, "--output", output)).stdout.lines).toEqual(["the answer is not 42"]);
    for (const other of ["../../signalbox.db", `${output}/..`, "a/1.1/b"]) {
      expect((await scene.signalbox("logs", runs.stubborn, "--output", other)).exit).toBe(2);
    }
  });

  test("--follow prints output while a run is in progress and ends with it", async () => {
    const { scene: other } = makeWitness();
    const file = other.put(".git/slow.yaml", SLOW);
    const flags = ["--agents", file, "--approvals", "autonomous", "--json"];
    const working = other.start("run", "witness", "slowly", ...flags);
    await working.heard("agent.started");
    const followed = await other.signalbox("logs", "--follow", "--json");
    const { exit } = await working.ended;
    expect([exit, followed.exit]).toEqual([0, 0]);
    const said = followed.events.map((event) => `${event["key"]} ${event["line"]}`);
    expect(said.filter((line) => line.includes("slow and steady"))).toHaveLength(1);
    expect(said.every((line) => line.startsWith("1 Work/round-1/maker "))).toBe(true);
  });

  test("--follow of a finished run prints the existing output and ends", async () => {
    const { exit, out } = await scene.signalbox("logs", runs.good, "--follow");
    expect([exit, out]).toEqual([0, (await scene.signalbox("logs", runs.good)).out]);
  });
});

describe("diff", () => {
  test("shows the committed change, or the newest tree if nothing was committed", async () => {
    const { out } = await scene.signalbox("diff", runs.good);
    expect(out).toMatch(/^# \S+: 1 file from [0-9a-f]{10} to commit [0-9a-f]{10}\ndiff --git a\/answer.txt/);
    expect(out).toContain("\n+of course\n");
    expect((await scene.signalbox("diff", runs.stubborn)).out).toContain("that maker left, not committed");
    expect(await runJson("diff", runs.stubborn)).toMatchObject({
      changes: [{ path: "answer.txt", status: "modified" }],
    });
    expect(await runJson("diff", runs.mute)).toMatchObject({ to: null, changes: [] });
  });
});

test("the -h output of every command has examples", async () => {
  for (const name of ["gate", "sql", "evidence", "audit", "why", "logs", "diff", "report"]) {
    const { out, exit } = await scene.signalbox(name, "-h");
    expect([exit, out]).toEqual([0, expect.stringContaining(`Examples:\n  signalbox ${name}`)]);
  }
});

function measureWidth(text: string): number {
  return Math.max(...text.split("\n").map((line) => line.length));
}

/** Changes the database, runs the verification, and restores the database. */
async function verifyTampered(edits: readonly string[], more?: (db: DatabaseSync) => void) {
  const home = join(scene.repo, ".signalbox");
  const kept = mkdtempSync(join(tmpdir(), "signalbox-kept-"));
  const files = () => readdirSync(home).filter((name) => name.startsWith("signalbox.db"));
  for (const file of files()) cpSync(join(home, file), join(kept, file));
  try {
    const db = new DatabaseSync(database);
    for (const edit of edits) db.exec(edit);
    more?.(db);
    db.close();
    const verified = await scene.signalbox("evidence", runs.good, "--verify", "--check", "--json");
    const gate = await scene.signalbox("gate", "W-1", "--run", runs.good, "--check", "--json");
    return {
      verified: { ...JSON.parse(verified.out), exit: verified.exit },
      gate: { ...JSON.parse(gate.out || "{}"), exit: gate.exit },
    };
  } finally {
    for (const file of files()) rmSync(join(home, file));
    mkdirSync(home, { recursive: true });
    for (const file of readdirSync(kept)) cpSync(join(kept, file), join(home, file));
    rmSync(kept, { recursive: true });
  }
}

/** Rewrites the chain as an informed attacker would: changes an early note and every hash after it. */
function rewriteChain(db: DatabaseSync): void {
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const rows = db.prepare("SELECT seq, ts, fact FROM journal WHERE run = ? ORDER BY seq").all(runs.good);
  const update = db.prepare("UPDATE journal SET fact = ?, chain = ? WHERE run = ? AND seq = ?");
  let chain = "";
  for (const { seq, ts, fact } of rows) {
    const text = String(fact).replace("429 Too Many Requests", "nothing to see");
    const bare = { ...JSON.parse(text), v: 1, seq: Number(seq), ts: Number(ts), run: runs.good } as JournalRecord;
    chain = hashChain({ hash }, chain, bare);
    update.run(text, chain, runs.good, Number(seq));
  }
}

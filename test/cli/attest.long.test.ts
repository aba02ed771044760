import { execFileSync, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { verifySignature } from "../../src/cli/attest/signer.ts";
import { parseEnvelope } from "../../src/surfaces/statement/envelope.ts";
import { makeWitness, SECRET } from "./witness.ts";

const { scene, run: play } = makeWitness();
const resolveFile = (name: string): string => join(scene.repo, "..", name);
const [pem, pub, file] = [resolveFile("evidence.pem"), resolveFile("evidence.pub.pem"), resolveFile("run.intoto.json")];
let run = "";

const verify = (...more: readonly string[]) => scene.signalbox("verify-statement", file, "--key", pub, ...more);

beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(pem, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  writeFileSync(pub, publicKey.export({ type: "spki", format: "pem" }));
  run = await play("good");
  const signed = await scene.signalbox("attest", run, "--key", pem, "--out", file, "--detached", "--json");
  expect([signed.exit, signed.err]).toEqual([0, ""]);
});

test("a statement covers the recorded evidence, the commit and its tree", () => {
  const read = parseEnvelope(readFileSync(file, "utf8"));
  if ("problem" in read) throw new Error(read.problem);
  const { subject, predicate } = read.statement;
  const commit = scene.git("rev-parse", `signalbox/${run}`).trim();
  const tree = scene.git("rev-parse", `signalbox/${run}^{tree}`).trim();
  expect(subject.map(({ digest }) => digest)).toEqual([{ gitCommit: commit }, { gitTree: tree }]);
  expect(predicate).toMatchObject({
    run,
    pipeline: { name: "witness", version: 1, hash: expect.stringMatching(/^[0-9a-f]{16,}$/) },
    status: "done",
    confidence: "medium",
    gates: [{ gate: "good enough", passed: true, tree, rules: [{ rule: "W-1", actual: 1, need: 1 }, { rule: "W-2" }] }],
    approvals: [{ title: "Keep it?", choice: "keep", by: "automatic", hash: expect.any(String) }],
    agents: [{ role: "maker", by: ["scripted"] }],
    exemption: null,
    chain: { seq: expect.any(Number), chain: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(predicate.evidence).toContainEqual(
    expect.objectContaining({ check: "test", when: "after", tree, exit: 0, outcome: "passed" }),
  );
  expect(Buffer.from(read.pae).toString()).not.toContain(SECRET);
});

test("a statement verifies while journal, ledger and git agree, with or without the run id", async () => {
  for (const more of [[], ["--run", run]]) {
    const { exit, out } = await verify(...more);
    expect([exit, out]).toEqual([0, expect.stringContaining("✓ the statement is valid")]);
    const lines = [...out.matchAll(/^✓ (\w+) +\S/gm)].map(([, what]) => what);
    expect(lines.filter((what) => what !== "the")).toEqual([
      "envelope",
      "signature",
      "git",
      "journal",
      "ledger",
      "evidence",
    ]);
    expect(out).toMatch(/\d+ results of checks and 1 gate, as/);
  }
  const elsewhere = await scene.signalbox("-C", resolveFile("."), "verify-statement", file, "--key", pub);
  expect([elsewhere.exit, elsewhere.out]).toEqual([0, expect.stringContaining("not compared: not a git repository")]);
});

test("a missing key is refused with instructions, and a wrong key is refused", async () => {
  expect((await scene.signalbox("verify-statement", file)).exit).toBe(2);
  const other = resolveFile("other.pem");
  writeFileSync(other, generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }));
  const { exit, out } = await scene.signalbox("verify-statement", file, "--key", other);
  expect([exit, out]).toEqual([1, expect.stringContaining("✗ signature")]);
});

test("a statement with one changed byte anywhere does not verify", async () => {
  const bytes = readFileSync(file);
  const isHeld = async (changed: Buffer): Promise<boolean> => {
    const read = parseEnvelope(changed.toString("utf8"));
    return !("problem" in read) && (await verifySignature(read, { key: pub })).ok;
  };
  expect(await isHeld(bytes)).toBe(true);
  const held: string[] = [];
  for (let place = 0; place < bytes.length; place += 1) {
    for (const mask of [1, 0x2a]) {
      const changed = Buffer.from(bytes);
      changed[place] = (bytes[place] ?? 0) ^ mask;
      if (await isHeld(changed)) held.push(`${place} ^ ${mask}`);
    }
  }
  expect(held).toEqual([]);
});

describe("the content of the database", () => {
  const database = join(scene.repo, ".signalbox/signalbox.db");
  const whole = resolveFile("whole.db");

  /** Changes one character of one stored value and returns the result of the verification. */
  async function verifyChangedValue(table: string, column: string, row: number, place: number): Promise<number> {
    const db = new DatabaseSync(database);
    const [found] = db.prepare(`SELECT rowid AS id, ${column} AS text FROM ${table} LIMIT 1 OFFSET ${row}`).all();
    // A forger of the database also removes the triggers that protect it.
    for (const { name } of db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all())
      db.exec(`DROP TRIGGER ${name}`);
    const text = String(found?.["text"]);
    const where = place % text.length;
    const letter = String.fromCharCode(text.charCodeAt(where) ^ 1);
    const next = text.slice(0, where) + letter + text.slice(where + 1);
    db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(next, Number(found?.["id"]));
    db.close();
    const { exit } = await verify();
    cpSync(whole, database);
    return exit;
  }

  test("a statement does not verify after one changed character in a record or ledger row", async () => {
    new DatabaseSync(database).exec("PRAGMA wal_checkpoint(TRUNCATE)");
    cpSync(database, whole);
    const places: readonly [string, string, number, number][] = [
      ["journal", "fact", 0, 40],
      ["journal", "fact", 7, 12],
      ["journal", "fact", 20, 333],
      ["journal", "chain", 11, 5],
      ["journal", "ts", 4, 9],
      ["anvil_checks", "command", 1, 3],
      ["anvil_checks", "tree", 0, 17],
      ["anvil_checks", "output_snippet", 2, 0],
    ];
    const ends: [string, number][] = [];
    for (const [table, column, row, place] of places) {
      ends.push([`${table}.${column} ${row}`, await verifyChangedValue(table, column, row, place)]);
    }
    expect(ends).toEqual(places.map(([table, column, row]) => [`${table}.${column} ${row}`, 1]));
    expect((await verify()).exit).toBe(0);
  });
});

test("a run without a commit cannot be attested, and the error names the next step", async () => {
  const stubborn = await play("stubborn");
  const { exit, err } = await scene.signalbox("attest", stubborn, "--key", pem);
  expect([exit, err]).toEqual([2, expect.stringMatching(/it made no commit.*\nhint: .*signalbox why/s)]);
});

test("an unusable key is named, and nothing is written", async () => {
  const odd = resolveFile("odd.pem");
  writeFileSync(
    odd,
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
  );
  for (const key of [odd, resolveFile("nowhere")]) {
    const { exit, err, out } = await scene.signalbox("attest", run, "--key", key);
    expect([exit, out, err]).toEqual([4, "", expect.stringContaining(key)]);
  }
});

const hasSsh = spawnSync("ssh-keygen", ["-?"]).error === undefined;

describe.skipIf(!hasSsh)("with OpenSSH keys (skipped where ssh-keygen is not installed)", () => {
  test.each(["ed25519", "ecdsa", "rsa"])("ssh-keygen verifies a signature made with an %s key", async (type) => {
    const [key, out, signers] = [
      resolveFile(`id_${type}`),
      resolveFile(`${type}.intoto.json`),
      resolveFile(`${type}.signers`),
    ];
    execFileSync("ssh-keygen", ["-q", "-t", type, "-N", "", "-C", "ana", "-f", key]);
    const signed = await scene.signalbox("attest", run, "--key", key, "--out", out, "--detached");
    expect([signed.exit, signed.err]).toEqual([0, ""]);
    expect(signed.out).toContain(`: ${out}, ${out}.pae, ${out}.sig`);
    writeFileSync(signers, `ana@example.org ${readFileSync(`${key}.pub`, "utf8")}`);
    const asked = ["-Y", "verify", "-f", signers, "-I", "ana@example.org", "-n", "signalbox-evidence"];
    const by = spawnSync("ssh-keygen", [...asked, "-s", `${out}.sig`], { input: readFileSync(`${out}.pae`) });
    expect([by.status, String(by.stdout)]).toEqual([0, expect.stringContaining('Good "signalbox-evidence" signature')]);
    for (const trusted of [
      ["--key", `${key}.pub`],
      ["--key", key],
      ["--allowed-signers", signers],
    ]) {
      const held = await scene.signalbox("verify-statement", out, ...trusted);
      expect([held.exit, held.out]).toEqual([0, expect.stringContaining("✓ the statement is valid")]);
    }
  });

  test("a signature for another purpose or by another signer is rejected", async () => {
    const [key, other, out] = [resolveFile("id_one"), resolveFile("id_two"), resolveFile("one.intoto.json")];
    for (const each of [key, other]) execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", each]);
    await scene.signalbox("attest", run, "--key", key, "--out", out, "--detached");
    expect((await scene.signalbox("verify-statement", out, "--key", `${other}.pub`)).exit).toBe(1);
    const signers = resolveFile("other.signers");
    writeFileSync(signers, `bob@example.org ${readFileSync(`${other}.pub`, "utf8")}`);
    const unknown = await scene.signalbox("verify-statement", out, "--allowed-signers", signers);
    expect([unknown.exit, unknown.out]).toEqual([1, expect.stringContaining("is not listed in")]);
    const asCommit = ["-q", "-Y", "sign", "-n", "git", "-f", key];
    const armored = execFileSync("ssh-keygen", asCommit, { input: readFileSync(`${out}.pae`), encoding: "utf8" });
    const envelope = JSON.parse(readFileSync(out, "utf8"));
    envelope.signatures[0].sig = armored.split("\n").slice(1, -2).join("");
    writeFileSync(out, `${JSON.stringify(envelope)}\n`);
    const misused = await scene.signalbox("verify-statement", out, "--key", `${key}.pub`);
    expect([misused.exit, misused.out]).toEqual([1, expect.stringContaining("ssh-keygen rejected it")]);
  });

  test("a signature with one changed byte does not verify", async () => {
    const [key, out] = [resolveFile("id_flip"), resolveFile("flip.intoto.json")];
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
    await scene.signalbox("attest", run, "--key", key, "--out", out);
    const envelope = JSON.parse(readFileSync(out, "utf8"));
    const signature = Buffer.from(envelope.signatures[0].sig, "base64");
    const held: number[] = [];
    for (let place = 0; place < signature.length; place += 3) {
      const changed = Buffer.from(signature);
      changed[place] = (signature[place] ?? 0) ^ 1;
      envelope.signatures[0].sig = changed.toString("base64");
      const read = parseEnvelope(`${JSON.stringify(envelope)}\n`);
      if (!("problem" in read) && (await verifySignature(read, { key: `${key}.pub` })).ok) held.push(place);
    }
    expect(held).toEqual([]);
  });
});

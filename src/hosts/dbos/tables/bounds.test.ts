import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../test/support/postgres.ts";
import { createHeldWorld } from "../../suite/held-world.ts";
import { openTeam, type TeamHost } from "../open-team.ts";

const RUN = "20200101-000000-aaaaaa";
const KB = 1_024;
const MB = KB * KB;

let server: TestPostgres;
let url: string;
let eves: string;
let host: TeamHost;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.team("bounds");
  await execute(url, "CREATE ROLE eve LOGIN PASSWORD 'eve' IN ROLE signalbox_member");
  await execute(url, "CREATE ROLE ada LOGIN PASSWORD 'ada' IN ROLE signalbox_member");
  eves = url.replace("postgres:postgres@", "eve:eve@");
  host = await openTeam({ url: url.replace("postgres:postgres@", "ada:ada@"), world: createHeldWorld() });
  await create(RUN, [start()]);
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

const start = (more: object = {}) => JSON.stringify({ type: "run.started", ...more });
const create = (run: string, texts: readonly string[]) =>
  execute(eves, "SELECT create_run($1, 'ledger', '/repo', $2, NULL)", [run, texts]);
const letter = (bytes: number) => JSON.stringify({ kind: "resume", by: "eve", note: "x".repeat(bytes) });
const post = (text: string, run = RUN) =>
  execute(eves, "INSERT INTO inbox (run, at, letter) VALUES ($1, 1, $2)", [run, text]);
const trust = (name: string) =>
  execute(eves, "INSERT INTO trust (repo, hash, by_name, at) VALUES ('r', $1, $2, 1)", [`h${name.length}`, name]);
const noted = (bytes: number) => execute(eves, "SELECT note_run($1, $2)", [RUN, JSON.stringify("x".repeat(bytes))]);
const other = (last: string) => `${RUN.slice(0, -1)}${last}`;
const cancel = (texts: readonly string[]) => execute(eves, "SELECT cancel_run($1, 1, $2, '{}')", [RUN, texts]);

describe("[A-42] input of a member", () => {
  test.each<[string, string, () => Promise<unknown>]>([
    ["a message", "a_message_has_at_most_256_kb", () => post(letter(256 * KB))],
    ["a name in a consent", "a_consent_has_short_names", () => trust("x".repeat(300))],
    ["notes", "notes_have_at_most_1_mb", () => noted(MB)],
    [
      "a start",
      "the start of a run has at most 4 MB",
      () => create(other("b"), [start({ input: "x".repeat(4 * MB) })]),
    ],
    [
      "more steps than the other run has",
      "brings no more than the run has",
      () => create(other("c"), [start({ from: { run: RUN } }), "{}", "{}", "{}"]),
    ],
    [
      "longer steps than the other run has",
      "brings no more than the run has",
      () => create(other("d"), [start({ from: { run: RUN } }), JSON.stringify("x".repeat(5 * MB))]),
    ],
    [
      "records of a cancellation",
      "at most 1000 records of 4 MB",
      () => cancel(["{}", JSON.stringify("x".repeat(5 * MB))]),
    ],
    ["many records of one", "at most 1000 records of 4 MB", () => cancel(Array.from({ length: 1_001 }, () => "{}"))],
    ["needs", "at most 100 needs", () => execute(eves, "SELECT want_drive($1, $2)", [RUN, ["x".repeat(20 * KB)]])],
  ])("is stored up to a limit: %s", async (_what, words, write) => {
    await expect(write()).rejects.toThrow(words);
  });

  test("is stored within the limit", async () => {
    await post(letter(255 * KB));
    await trust("x".repeat(200));
    await noted(1_000 * KB);
    await create(other("e"), [start({ input: "x".repeat(3 * MB) })]);
    await create(other("f"), [start({ from: { run: RUN } }), "{}"]);
    expect(await host.inbox.unread(RUN)).toMatchObject([{ role: "eve", letter: { kind: "resume" } }]);
    expect(await host.team.notes.get(RUN)).toHaveLength(1);
  });

  test("does not keep others from being read: messages and notes are limited per role", async () => {
    const run = other("g");
    await create(run, [start()]);
    for (let at = 0; at < 100; at += 1) await post("{}", run);
    await expect(post("{}", run)).rejects.toThrow("at most 100 unread messages of one role");
    expect(await host.inbox.post(run, { kind: "cancel", by: "ada" })).toBeUndefined();
    const letters = await host.inbox.unread(run);
    expect(letters.map(({ role }) => role)).toEqual([...Array.from({ length: 100 }, () => "eve"), "ada"]);

    await host.team.notes.put(run, { by: "ada" });
    for (let at = 0; at < 100; at += 1) await execute(eves, "SELECT note_run($1, '{}')", [run]);
    await expect(execute(eves, "SELECT note_run($1, '{}')", [run])).rejects.toThrow("at most 100 notes of one role");
    expect(await host.team.notes.get(run)).toEqual([{}, {}, {}, { by: "ada" }]);
  });

  test("and a limit that is exceeded is explained to the user", async () => {
    const said = host.inbox.post(RUN, { kind: "pause", by: "ada", note: "x".repeat(256 * KB) });
    await expect(said).rejects.toMatchObject({ code: "INPUT_INVALID", hint: expect.stringContaining("shorter note") });
  });
});

test("[A-42] a message from before the limit existed reads as dropped, and the others are read", async () => {
  const run = other("h");
  await create(run, [start()]);
  await execute(url, "ALTER TABLE inbox DROP CONSTRAINT a_message_has_at_most_256_kb");
  await post(letter(MB), run);
  expect(await host.inbox.post(run, { kind: "cancel", by: "ada" })).toBeUndefined();
  expect((await host.inbox.unread(run)).map(({ letter: { kind } }) => kind)).toEqual(["dropped", "cancel"]);
});

async function execute(address: string, sql: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: address, options: "-c search_path=signalbox" });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

import { createHash } from "node:crypto";
import { Client } from "pg";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { hashChain } from "../../src/engine/drive/recorder.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

export type Forger = {
  /** Rewrites a run's journal with matching hashes. */
  rewrite(run: string, change: (records: readonly JournalRecord[]) => readonly JournalRecord[]): Promise<void>;
  /** Appends one record with a copied hash. */
  insert(run: string, made: (records: readonly JournalRecord[]) => JournalRecord): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<void>;
};

/** An attacker who can write every table of a team and can compute the chain. */
export function forgerOf(url: string): Forger {
  const connected = async (use: (client: Client) => Promise<unknown>): Promise<void> => {
    const client = new Client({ connectionString: url, options: "-c search_path=signalbox" });
    await client.connect();
    try {
      // Disables triggers and foreign keys.
      await client.query("SET session_replication_role = replica");
      await use(client);
    } finally {
      await client.end();
    }
  };
  return {
    query: (text, values = []) => connected((client) => client.query(text, [...values])),
    insert: (run, made) =>
      connected(async (client) => {
        const { rows } = await client.query("SELECT record FROM journal WHERE run = $1 ORDER BY seq", [run]);
        const record = made(rows.map((row) => JSON.parse(row.record)));
        const values = [run, record.seq, JSON.stringify(record)];
        await client.query("INSERT INTO journal (run, seq, record) VALUES ($1, $2, $3)", values);
      }),
    rewrite: (run, change) =>
      connected(async (client) => {
        const { rows } = await client.query("SELECT record FROM journal WHERE run = $1 ORDER BY seq", [run]);
        const records = change(rows.map(({ record }) => JSON.parse(record)));
        await client.query("DELETE FROM journal WHERE run = $1", [run]);
        let chain = "";
        for (const { chain: _chain, ...bare } of records) {
          chain = hashChain({ hash }, chain, bare);
          const text = JSON.stringify({ ...bare, chain });
          await client.query("INSERT INTO journal (run, seq, record) VALUES ($1, $2, $3)", [run, bare.seq, text]);
        }
        await client.query("UPDATE runs SET seq = $2 WHERE id = $1", [run, records.length]);
      }),
  };
}

import type { Json } from "../../../core/text/json.ts";
import type { Database } from "../tables/database.ts";

/** How a run was started, for whoever drives it: what its journal does not have. */
export type Notes = {
  put(run: string, notes: Json): Promise<void>;
  get(run: string): Promise<Json | undefined>;
};

export function postgresNotes({ query }: Database): Notes {
  return {
    async put(run, notes) {
      await query(
        "INSERT INTO notes (run, body) VALUES ($1, $2) ON CONFLICT (run) DO UPDATE SET body = excluded.body",
        [run, JSON.stringify(notes)],
      );
    },
    async get(run) {
      const [row] = await query<{ body: string }>("SELECT body FROM notes WHERE run = $1", [run]);
      return row && noted(row.body);
    },
  };
}

/** Others than us may write that row: what is no JSON is given as the text that it is, for its reader to refuse. */
function noted(body: string): Json {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

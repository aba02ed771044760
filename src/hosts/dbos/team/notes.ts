import type { Json } from "../../../core/text/json.ts";
import type { Database } from "../tables/database.ts";

/** How a run was started, for whoever drives it: what its journal does not have. */
export type Notes = {
  /** Stands beside those that are there. */
  put(run: string, notes: Json): Promise<void>;
  /** The newest first, some of each role, and the very first: where one cannot be read, the next counts. */
  get(run: string): Promise<readonly Json[]>;
};

/** Bytes of the longest that are read; those of before the bound may be longer. */
const LONGEST = 1_048_576;
const MOST_OF_A_ROLE = 3;

export function postgresNotes({ query }: Database): Notes {
  return {
    async put(run, notes) {
      await query("SELECT note_run($1, $2)", [run, JSON.stringify(notes)]);
    },
    async get(run) {
      const rows = await query<{ body: string }>(
        `SELECT body FROM (
           SELECT number, body, row_number() OVER (PARTITION BY role ORDER BY number DESC) AS back,
             row_number() OVER (ORDER BY number) AS place
           FROM notes WHERE run = $1 AND octet_length(body) <= $2
         ) AS noted WHERE back <= $3 OR place = 1 ORDER BY number DESC`,
        [run, LONGEST, MOST_OF_A_ROLE],
      );
      return rows.map(({ body }) => noted(body));
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

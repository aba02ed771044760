import type { Json } from "../../../core/text/json.ts";
import type { Database } from "../tables/database.ts";

/** Data about how a run was started that its journal does not contain. */
export type RunNotes = {
  /** Adds notes; existing ones stay. */
  put(run: string, notes: Json): Promise<void>;
  /**
   * Returns a few notes per role, newest first, and the oldest of all, so that the reader can skip one that is invalid.
   */
  get(run: string): Promise<readonly Json[]>;
};

/** Maximum bytes of a note that is read; older rows may exceed the current limit. */
const LONGEST = 1_048_576;
const MOST_OF_A_ROLE = 3;

export function createRunNotes({ query }: Database): RunNotes {
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
      return rows.map(({ body }) => parseNotes(body));
    },
  };
}

/** Other programs may write this row, so invalid JSON is returned as text for the reader to refuse. */
function parseNotes(body: string): Json {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

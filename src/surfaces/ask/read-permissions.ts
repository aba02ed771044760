import { constants, type DatabaseSync } from "node:sqlite";

/**
 * SQL functions that compute, compare and format. Functions that access files, load libraries or use unbounded memory
 * are excluded.
 */
const FUNCTIONS: ReadonlySet<string> = new Set(
  `abs avg ceil ceiling char coalesce concat concat_ws count cume_dist current_date current_time current_timestamp
  date datetime dense_rank first_value floor format glob group_concat hex if ifnull iif instr json json_array
  json_array_length json_error_position json_extract json_group_array json_group_object json_object json_patch
  json_pretty json_quote json_remove json_replace json_set json_type json_valid julianday lag last_value lead length
  like lower ltrim max min mod nth_value ntile nullif octet_length percent_rank pow power printf quote rank replace
  round row_number rtrim sign sqlite_version sqrt strftime string_agg substr substring sum time timediff total trim
  trunc typeof unicode unixepoch upper -> ->>`.split(/\s+/),
);
const TABLE_FUNCTIONS = ["json_each", "json_tree", "sqlite_master", "sqlite_schema"];

/** Restricts the connection to reading these tables and calling these functions. */
export function permitReading(db: DatabaseSync, tables: readonly string[]): void {
  const readable = new Set([...tables, ...TABLE_FUNCTIONS]);
  const may = (action: number, first: string | null, second: string | null): boolean => {
    if (action === constants.SQLITE_SELECT || action === constants.SQLITE_RECURSIVE) return true;
    if (action === constants.SQLITE_FUNCTION) return second !== null && FUNCTIONS.has(second.toLowerCase());
    // SQLite reports COUNT(*) as a read without a column, also for the name of a subquery.
    return action === constants.SQLITE_READ && (second === "" || (first !== null && readable.has(first)));
  };
  db.setAuthorizer((action, first, second) =>
    may(action, first, second) ? constants.SQLITE_OK : constants.SQLITE_DENY,
  );
}

import type { Database } from "../tables/database.ts";

/** Configurations that a team member has reviewed and trusted, by hash. */
export type TrustBook = {
  record(repo: string, hash: string, by: string): Promise<void>;
  knows(repo: string, hash: string): Promise<boolean>;
};

export function createTrustBook({ query }: Database): TrustBook {
  return {
    async record(repo, hash, by) {
      await query(
        "INSERT INTO trust (repo, hash, by_name, at) VALUES ($1, $2, $3, now_ms()) ON CONFLICT (repo, hash) DO NOTHING",
        [repo, hash, by],
      );
    },
    async knows(repo, hash) {
      return (await query("SELECT FROM trust WHERE repo = $1 AND hash = $2", [repo, hash])).length > 0;
    },
  };
}

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { World } from "../../core/ports/world.ts";
import { getStateFolder } from "../project/user-folders.ts";
import type { RepositoryCode } from "./repository-code.ts";

const MOST = 200;

const StoredTrust = z.object({
  v: z.literal(1),
  repo: z.string(),
  /** Hashes of the contents that a person has trusted. */
  yes: z.array(z.object({ hash: z.string(), at: z.number(), by: z.string() })),
  /** Hashes of the files that runs were started with; a run may continue with exactly those. */
  runs: z.array(z.object({ run: z.string(), hash: z.string() })),
});
type StoredTrust = z.infer<typeof StoredTrust>;

export type TrustStore = {
  /** `changed` means that other content was trusted before. */
  knows(
    repositoryCode: Pick<RepositoryCode, "hash" | "filesHash">,
    run?: string,
  ): Promise<"recorded" | "changed" | "missing">;
  record(hash: string, by: string): Promise<void>;
  recordRun(run: string, filesHash: string): Promise<void>;
};

/** Stores trust decisions per repository in the user's state folder, where no content of a repository can add one. */
export function createTrustStore(repo: string, world: Pick<World, "hash" | "now" | "newId">): TrustStore {
  const folder = join(getStateFolder(), "trust");
  const file = join(folder, `${world.hash(repo).slice(0, 32)}.json`);
  const change = async (edit: (stored: StoredTrust) => StoredTrust): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const fresh = `${file}.${world.newId().slice(0, 8)}`;
    await writeFile(fresh, `${JSON.stringify(edit(await readStoredTrust(file, repo)), null, 2)}\n`, { mode: 0o600 });
    await rename(fresh, file);
  };
  return {
    async knows({ hash, filesHash }, run) {
      const { yes, runs } = await readStoredTrust(file, repo);
      if (yes.some((each) => each.hash === hash)) return "recorded";
      if (run !== undefined && runs.some((each) => each.run === run && each.hash === filesHash)) return "recorded";
      return yes.length > 0 ? "changed" : "missing";
    },
    record: (hash, by) =>
      change((stored) => {
        const others = stored.yes.filter((each) => each.hash !== hash);
        return { ...stored, yes: [...others, { hash, at: world.now(), by }].slice(-MOST) };
      }),
    recordRun: (run, hash) => change((stored) => ({ ...stored, runs: [...stored.runs, { run, hash }].slice(-MOST) })),
  };
}

/** An unreadable file means no trust. */
async function readStoredTrust(file: string, repo: string): Promise<StoredTrust> {
  const none: StoredTrust = { v: 1, repo, yes: [], runs: [] };
  try {
    const stored = StoredTrust.parse(JSON.parse(await readFile(file, "utf8")));
    return stored.repo === repo ? stored : none;
  } catch {
    return none;
  }
}

import { SignalboxError } from "../../core/failure/errors.ts";
import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { canonical, jsonOf } from "../../core/text/json.ts";
import type { TeamHost } from "../../hosts/dbos/open-team.ts";
import { userName } from "../project/git-identity.ts";
import type { RepositoryCode } from "../trust/repository-code.ts";
import { isTrusted, type Trust } from "../trust/trust.ts";

type TeamTrust = {
  readonly trust: TeamHost["team"]["trust"];
  readonly repo: string;
  readonly repositoryCode: Pick<RepositoryCode, "hash" | "sharedHash" | "files" | "commands" | "shown">;
};

/** A person's yes, for all of the team: to this very content here, and to what every clone of it has. */
export async function recordYes({ trust, repo, repositoryCode }: TeamTrust): Promise<void> {
  const by = userName();
  for (const hash of new Set([repositoryCode.hash, repositoryCode.sharedHash])) await trust.record(repo, hash, by);
}

type Judged = { readonly host: Pick<Host, "journal">; readonly world: Pick<World, "hash"> };

/** By what a run is judged is code as well: whoever submits it has said yes to these very lines and rules. */
export async function judgedHash({ host, world }: Judged, run: string): Promise<string> {
  const [started] = await host.journal.page(run, { after: 0, most: 1 });
  if (started?.type !== "run.started") return "";
  const { commands, setup, protectedPaths, exam, policy, exempt } = started;
  return world.hash(
    `judged by ${canonical(jsonOf({ commands, setup, protectedPaths, exam, policy, exempt }) ?? null)}`,
  );
}

/** What a worker's clone brings runs there only when somebody of the team has said yes to it. */
export async function requireYes(at: TeamTrust, flag: boolean | undefined): Promise<Trust> {
  const { trust, repo, repositoryCode } = at;
  if (repositoryCode.files.length + repositoryCode.commands === 0) return "nothing brought";
  if (await trust.knows(repo, repositoryCode.sharedHash)) return "recorded";
  if (isTrusted(flag)) {
    await recordYes(at);
    return "this call";
  }
  const shown = repositoryCode.shown.map((line) => `  ${line}`).join("\n");
  throw new SignalboxError(
    "UNTRUSTED",
    `Nobody of the team has said yes to what this clone brings. It would run:\n${shown}`,
    "Whoever trusts it says so once, in any clone of the same content, with `signalbox init`; or here with `signalbox worker --trust`.",
  );
}

import { SignalboxError } from "../../core/failure/errors.ts";
import type { Host } from "../../core/ports/host.ts";
import type { World } from "../../core/ports/world.ts";
import { canonical, toJson } from "../../core/text/json.ts";
import type { TeamHost } from "../../hosts/dbos/open-team.ts";
import { getUserName } from "../project/git-identity.ts";
import type { RepositoryCode } from "../trust/repository-code.ts";
import { isTrustedForCall, type Trust } from "../trust/trust.ts";

type TeamTrust = {
  readonly trust: TeamHost["team"]["trust"];
  readonly repo: string;
  readonly repositoryCode: Pick<RepositoryCode, "hash" | "sharedHash" | "files" | "commands" | "shown">;
};

/** Records trust for the whole team: for the exact content here, and for the part that every clone shares. */
export async function recordTeamTrust({ trust, repo, repositoryCode }: TeamTrust): Promise<void> {
  const by = getUserName();
  for (const hash of new Set([repositoryCode.hash, repositoryCode.sharedHash])) await trust.record(repo, hash, by);
}

type JudgementInputs = { readonly host: Pick<Host, "journal">; readonly world: Pick<World, "hash"> };

/** Hashes the checks and rules that judge a run. They are code as well, and submitting a run trusts them. */
export async function hashJudgement({ host, world }: JudgementInputs, run: string): Promise<string> {
  const [started] = await host.journal.page(run, { after: 0, most: 1 });
  if (started?.type !== "run.started") return "";
  const { commands, setup, protectedPaths, exam, policy, exempt } = started;
  return world.hash(
    `judged by ${canonical(toJson({ commands, setup, protectedPaths, exam, policy, exempt }) ?? null)}`,
  );
}

/** Requires that a team member has trusted the code of a worker's clone. */
export async function requireTeamTrust(at: TeamTrust, flag: boolean | undefined): Promise<Trust> {
  const { trust, repo, repositoryCode } = at;
  if (repositoryCode.files.length + repositoryCode.commands === 0) return "nothing brought";
  if (await trust.knows(repo, repositoryCode.sharedHash)) return "recorded";
  if (isTrustedForCall(flag)) {
    await recordTeamTrust(at);
    return "this call";
  }
  const shown = repositoryCode.shown.map((line) => `  ${line}`).join("\n");
  throw new SignalboxError(
    "UNTRUSTED",
    `No team member has trusted the code in this clone. It would run:\n${shown}`,
    "To trust it, run `signalbox init` once in any clone of the same content, or `signalbox worker --trust` here.",
  );
}

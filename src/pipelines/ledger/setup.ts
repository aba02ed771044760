import type { Head } from "../../core/sight.ts";
import type { Verbs } from "../../core/verbs.ts";
import { slugOf } from "../slug.ts";
import { folderOf } from "./artifacts.ts";
import { evaluator } from "./roles.ts";
import { REQUEST } from "./rules.ts";

export type Setup = { readonly slug: string; readonly folder: string; readonly baseline: Head };

/** Step 0: the repository, the request, and what is already there. No other agent starts before it is done. */
export async function setUp(verbs: Verbs<{ request: string }>): Promise<Setup> {
  const { input, run, see, agent, gate, ask, note, write, end } = verbs;
  const slug = slugOf(input.request);
  const folder = folderOf(slug);

  const { branch, dirt } = await see("checkout");
  const warning = dirt.length > 0 && isMain(branch) ? `uncommitted changes on ${branch}` : "";
  const startup = await see("startup");
  if (Object.keys(startup.commands).length === 0) {
    return end({ status: "error", reason: "no command to check the work with: configure build, test or lint" });
  }
  const baseline = await see("head");

  const { concerns } = await agent(evaluator, { request: input.request });
  const decision = await gate("request", [REQUEST], { concerns });
  if (!decision.passed) {
    return end({ status: "error", reason: `the request is blocked: ${decision.findings[0]?.message ?? ""}` });
  }
  if (concerns.length > 0) {
    const title = "The request raises concerns. Go on?";
    const answer = await ask({ title, show: concerns, choices: ["go on", "abort"], auto: "go on" });
    if (answer.choice === "abort") return end({ status: "error", reason: "aborted" });
  }
  const found = await see("files", { under: folder, in: baseline });
  await note({ run, slug, warning, found: [...found] });
  await write(`${folder}/initial-request.md`, `${input.request}\n`);
  return { slug, folder, baseline };
}

const isMain = (branch: string | null): boolean => branch === "main" || branch === "master";

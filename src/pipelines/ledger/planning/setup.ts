import type { Head } from "../../core/sight.ts";
import { slugOf } from "../slug.ts";
import { folderOf } from "./artifacts.ts";
import type { Desk } from "./desk.ts";
import { evaluator } from "./roles.ts";
import { REQUEST } from "./rules.ts";

export type Setup = {
  readonly slug: string;
  readonly folder: string;
  readonly baseline: Head;
  /** Names of the project's own checks; none where a person let the run begin without. */
  readonly commands: readonly string[];
  /** What earlier runs decided; this one only adds to it. */
  readonly decided: string;
};

/** Step 0: the repository, the request, and what is already there. No other agent starts before it is done. */
export async function setUp(desk: Desk<{ request: string }>): Promise<Setup> {
  const { input, see, agent, gate, ask, note, write, fail } = desk;
  const slug = slugOf(input.request);
  const folder = folderOf(slug);

  const { branch, dirt } = await see("checkout");
  const warning = dirt.length > 0 && isMain(branch) ? `uncommitted changes on ${branch}` : "";
  const commands = Object.keys((await see("startup")).commands).sort();

  const { concerns } = await agent(evaluator, { request: input.request });
  const decision = await gate("request", [REQUEST], { concerns });
  if (!decision.passed) return fail(`the request is blocked: ${decision.findings[0]?.message ?? ""}`);
  if (concerns.length > 0) {
    const title = "The request raises concerns. Go on?";
    const answer = await ask({ title, show: concerns, choices: ["go on", "abort"], auto: "go on" });
    if (answer.choice === "abort") return fail("aborted");
  }

  const baseline = await see("head");
  const found = await see("files", { under: folder, in: baseline });
  const decided = await see("file", { path: `${folder}/decisions.yaml`, in: baseline });
  await note({ slug, warning, found: [...found] });
  await write(`${folder}/initial-request.md`, `${input.request}\n`);
  return { slug, folder, baseline, commands, decided: decided?.text ?? "" };
}

const isMain = (branch: string | null): boolean => branch === "main" || branch === "master";

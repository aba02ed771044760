import type { Head } from "../../../core/authoring/observations.ts";
import type { Depth } from "../../depth.ts";
import { toFeatureSlug } from "../../slug.ts";
import { getFeatureFolder } from "../artifacts.ts";
import type { LedgerContext } from "../context.ts";
import { evaluator } from "../roles.ts";
import { REQUEST } from "../rules.ts";

export type Setup = {
  readonly slug: string;
  readonly folder: string;
  readonly baseline: Head;
  /** Names of the project's checks; empty if a person started the run without any. */
  readonly commands: readonly string[];
  /** Decisions of earlier runs; this run appends to them. */
  readonly decided: string;
};

/**
 * Runs step 0: reads the repository, evaluates the request and lists existing outputs.
 * @rule L-32 (policy) The request determines the kebab-case slug and is stored as
 *   `docs/feature/<slug>/initial-request.md`.
 * @rule L-36 (policy) A concern below blocker is asked about in interactive mode and recorded in autonomous mode.
 *   Uncommitted changes cause a warning, on the main branch only.
 */
export async function setUp(context: LedgerContext<{ request: string }>, depth: Depth): Promise<Setup> {
  const { input, see, note, write } = context;
  const slug = toFeatureSlug(input.request);
  const folder = getFeatureFolder(slug);

  const { branch, dirt } = await see("checkout");
  const warning = dirt.length > 0 && isMain(branch) ? `uncommitted changes on ${branch}` : "";
  const commands = Object.keys((await see("startup")).commands).sort();

  if (depth === "full") await evaluateRequest(context);

  const baseline = await see("head");
  const found = await see("files", { under: folder, in: baseline });
  const decided = await see("file", { path: `${folder}/decisions.yaml`, in: baseline });
  await note({ slug, warning, found: [...found] });
  await write(`${folder}/initial-request.md`, `${input.request}\n`);
  return { slug, folder, baseline, commands, decided: decided?.text ?? "" };
}

/** Evaluates the request: a blocker ends the run, and a person's answer goes to every agent. */
async function evaluateRequest({
  input,
  agent,
  gate,
  ask,
  fail,
  remark,
}: LedgerContext<{ request: string }>): Promise<void> {
  const { concerns } = await agent(evaluator, { request: input.request });
  const decision = await gate("request", [REQUEST], { concerns });
  if (!decision.passed) await fail(`the request is blocked: ${decision.findings[0]?.message ?? ""}`);
  if (concerns.length > 0) {
    const answer = await ask({
      title: "The request raises concerns. Go on?",
      show: concerns,
      choices: ["go on", "answer", "abort"],
      words: ["answer"],
      leads: {
        "go on": "start the research; the concerns stay open",
        answer: "start the research; every agent gets your answer",
        abort: "end the run",
      },
      auto: "go on",
    });
    if (answer.choice === "abort") await fail("aborted");
    const nothing = answer.by === "automatic" ? "nobody was asked" : "go on";
    const raised = concerns.map(({ text }) => text).join("; ");
    remark({ about: `concerns about the request: ${raised}`, said: answer.note ?? nothing });
  }
}

const isMain = (branch: string | null): boolean => branch === "main" || branch === "master";

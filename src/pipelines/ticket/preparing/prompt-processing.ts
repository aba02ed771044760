import type { Failure } from "../../core/failure.ts";
import type { Verbs } from "../../core/verbs.ts";
import { folderOf, yamlOf } from "./artifacts.ts";
import { type Interpreted, Prompt } from "./contracts.ts";
import { type Input, violationsIn } from "./desk.ts";
import { appended, logLine, type Said } from "./log.ts";
import { readYaml } from "./problems.ts";
import { isoOf } from "./progress.ts";
import { mandatesIn, readPrompt } from "./request.ts";
import { interpreter, ROWS } from "./roles.ts";
import { VERBATIM } from "./rules.ts";

type Place = { readonly jira: string; readonly log: string };
type Processed = { readonly prompt: Prompt; readonly told: readonly Said[] };

/** Step I1.E: a clear request costs no dispatch; an unclear one costs one, and its open questions go to a person. */
export async function processPrompt(verbs: Verbs<Input>, place: Place): Promise<Processed> {
  const { input, see } = verbs;
  const clear = readPrompt(input.request, place.jira);
  const created_at = isoOf(await see("now"));
  if (clear) return { prompt: { ...clear, created_at }, told: [] };
  const said = await interpret(verbs, place);
  const answers = await askOpenQuestions(verbs, said.questions);
  const refined = [said.fields["refined_prompt"], answers && `Answers: ${answers}`].filter(Boolean).join("\n\n");
  const whole = { ...said.fields, refined_prompt: refined, jira: place.jira, original_request: input.request };
  const read = readYaml(yamlOf({ ...whole, created_at }), Prompt);
  if (!read.ok) return stop(verbs, place, { reason: `prompt.yaml: ${read.problems.join("; ")}`, told: said.told });
  return { prompt: await withOwnMandates(verbs, place, read.value), told: said.told };
}

type Interpretation = {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly questions: readonly string[];
  readonly told: readonly Said[];
};

/** What it wrote to prompt.yaml counts before what it says about it. */
async function interpret(verbs: Verbs<Input>, place: Place): Promise<Interpretation> {
  const { input, attempt, see } = verbs;
  const row = ROWS.Interpreter(folderOf(place.jira));
  const [path = ""] = row.writes;
  const outcome = await attempt(interpreter, { request: input.request, jira: place.jira, output: path }, row);
  const told = violationsIn("Interpreter", outcome);
  if (!outcome.ok) return stop(verbs, place, { reason: failed(outcome.failure), told });
  const { value } = outcome;
  const file = value.changed.includes(path) ? await see("file", { path, in: value.after }) : null;
  const written = file ? readYaml(file.text, Prompt.partial()) : undefined;
  if (written && !written.ok) return stop(verbs, place, { reason: `${path}: ${written.problems.join("; ")}`, told });
  return { fields: { ...spoken(value), ...written?.value }, questions: value.questions, told };
}

const failed = ({ message }: Failure): string => `Interpreter failed: ${message}`;

function spoken(said: Interpreted): Interpretation["fields"] {
  const { type, slug, tool_mandates, refined_prompt, success_criteria } = said;
  return { type, slug, tool_mandates: tool_mandates ?? [], refined_prompt, success_criteria };
}

async function askOpenQuestions({ ask, end }: Verbs<Input>, questions: readonly string[]): Promise<string> {
  if (questions.length === 0) return "";
  const title = "The request leaves questions open";
  const { choice, note } = await ask({ title, show: questions, choices: ["answer", "abort"], auto: "never" });
  if (choice === "abort") return end({ status: "error", reason: "the request is not clear" });
  return note ?? "";
}

/** An interpreter may find more mandates than the patterns do, never fewer, and never in other words. */
async function withOwnMandates(verbs: Verbs<Input>, place: Place, prompt: Prompt): Promise<Prompt> {
  const missed = mandatesIn(prompt.original_request).filter(
    ({ text }) => !prompt.tool_mandates.some((each) => each.text.includes(text)),
  );
  const tool_mandates = [...prompt.tool_mandates, ...missed];
  const about = { mandates: tool_mandates, request: prompt.original_request };
  const decision = await verbs.gate("mandates", [VERBATIM], about);
  if (decision.passed) return { ...prompt, tool_mandates };
  const why = decision.findings.map(({ message }) => message).join("; ");
  return stop(verbs, place, { reason: `prompt.yaml: ${why}`, told: [] });
}

/** The books are not open yet, but what happened is told all the same. */
async function stop(verbs: Verbs<Input>, place: Place, { reason, told }: { reason: string; told: readonly Said[] }) {
  const at = { now: isoOf(await verbs.see("now")), iteration: null };
  const lines = [...told, { event: "stopped", level: "ERROR", message: reason } as const];
  const text = appended(
    place.log,
    lines.map((line) => logLine(line, at)),
  );
  await verbs.write(`${folderOf(place.jira)}/log.jsonl`, text, { to: "checkout" });
  return verbs.end({ status: "error", reason });
}

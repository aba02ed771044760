import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { Failure } from "../../../core/failure/failure.ts";
import { getTicketFolder, toYaml } from "../artifacts.ts";
import { type Input, listViolations } from "../context.ts";
import { Prompt, type RequestReading } from "../contracts.ts";
import { appendLines, formatLogLine, type LogEntry } from "../files/log.ts";
import { toIsoTime } from "../files/progress.ts";
import { readYaml } from "../files/yaml-file.ts";
import { interpreter, ROWS } from "../roles.ts";
import { VERBATIM } from "../rules.ts";
import { parseMandates, parseRequiredMandates, readPrompt } from "./request.ts";

type TicketPaths = { readonly jira: string; readonly log: string };
type ProcessedPrompt = { readonly prompt: Prompt; readonly told: readonly LogEntry[] };

/**
 * Runs step I1.E. An unclear request costs one Interpreter dispatch, and its open questions go to a person.
 * @rule T-05 (policy) A clear prompt yields type, slug, mandates and criteria with zero dispatches; any other leads to
 *   exactly one Interpreter dispatch.
 */
export async function processPrompt(verbs: Verbs<Input>, place: TicketPaths): Promise<ProcessedPrompt> {
  const { input, see } = verbs;
  const clear = readPrompt(input.request, place.jira);
  const created_at = toIsoTime(await see("now"));
  if (clear) return { prompt: { ...clear, created_at }, told: [] };
  const said = await interpret(verbs, place);
  const answers = await askOpenQuestions(verbs, said.questions);
  const refined = [said.fields["refined_prompt"], answers && `Answers: ${answers}`].filter(Boolean).join("\n\n");
  const whole = { ...said.fields, refined_prompt: refined, jira: place.jira, original_request: input.request };
  const read = readYaml(toYaml({ ...whole, created_at }), Prompt);
  if (!read.ok) return stop(verbs, place, { reason: `prompt.yaml: ${read.problems.join("; ")}`, told: said.told });
  return { prompt: await withInsisted(verbs, place, read.value), told: said.told };
}

type Interpretation = {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly questions: readonly string[];
  readonly told: readonly LogEntry[];
};

/** Runs the Interpreter. Fields in its file override those of its answer. */
async function interpret(verbs: Verbs<Input>, place: TicketPaths): Promise<Interpretation> {
  const { input, attempt, see } = verbs;
  const row = ROWS.Interpreter(getTicketFolder(place.jira));
  const [path = ""] = row.writes;
  const outcome = await attempt(interpreter, { request: input.request, jira: place.jira, output: path }, row);
  const told = listViolations("Interpreter", outcome);
  if (!outcome.ok) return stop(verbs, place, { reason: describeFailure(outcome.failure), told });
  const { value } = outcome;
  const file = value.changed.includes(path) ? await see("file", { path, in: value.after }) : null;
  const written = file ? readYaml(file.text, Prompt.partial()) : undefined;
  if (written && !written.ok) return stop(verbs, place, { reason: `${path}: ${written.problems.join("; ")}`, told });
  return { fields: { ...toPromptFields(value, input.request), ...written?.value }, questions: value.questions, told };
}

const describeFailure = ({ message }: Failure): string => `Interpreter failed: ${message}`;

/** Mandates missing from the answer are read from the request. */
function toPromptFields(said: RequestReading, request: string): Interpretation["fields"] {
  const { type, slug, tool_mandates, refined_prompt, success_criteria } = said;
  return { type, slug, tool_mandates: tool_mandates ?? parseMandates(request), refined_prompt, success_criteria };
}

async function askOpenQuestions({ ask, end }: Verbs<Input>, questions: readonly string[]): Promise<string> {
  if (questions.length === 0) return "";
  const { choice, note } = await ask({
    title: "The request leaves questions open",
    show: questions,
    choices: ["answer", "abort"],
    words: ["answer"],
    leads: { answer: "continue with your answer", abort: "end the run" },
    auto: "never",
  });
  if (choice === "abort") return end({ status: "error", reason: "the request is not clear" });
  return note ?? "";
}

/** Adds mandates that the person insists on and the Interpreter missed. */
async function withInsisted(verbs: Verbs<Input>, place: TicketPaths, prompt: Prompt): Promise<Prompt> {
  const missed = parseRequiredMandates(prompt.original_request).filter(
    ({ text }) => !prompt.tool_mandates.some((each) => each.text.includes(text)),
  );
  const tool_mandates = [...prompt.tool_mandates, ...missed];
  const about = { mandates: tool_mandates, request: prompt.original_request };
  const decision = await verbs.gate("mandates", [VERBATIM], about);
  if (decision.passed) return { ...prompt, tool_mandates };
  const why = decision.findings.map(({ message }) => message).join("; ");
  return stop(verbs, place, { reason: `prompt.yaml: ${why}`, told: [] });
}

/** Writes the log and ends the run, before the ticket's files are open. */
async function stop(
  verbs: Verbs<Input>,
  place: TicketPaths,
  { reason, told }: { reason: string; told: readonly LogEntry[] },
) {
  const at = { now: toIsoTime(await verbs.see("now")), iteration: null };
  const lines = [...told, { event: "stopped", level: "ERROR", message: reason } as const];
  const text = appendLines(
    place.log,
    lines.map((line) => formatLogLine(line, at)),
  );
  await verbs.write(`${getTicketFolder(place.jira)}/log.jsonl`, text, { to: "checkout" });
  return verbs.end({ status: "error", reason });
}

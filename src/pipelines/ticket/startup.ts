import { parse, stringify } from "yaml";
import type { Verbs } from "../../core/verbs.ts";
import { bookOf } from "./book.ts";
import type { Prompt } from "./contracts.ts";
import { seeDocs } from "./docs.ts";
import { readPrompt, ticketsIn } from "./request.ts";
import { interpreter } from "./roles.ts";

export type Input = { readonly request: string; readonly ticket?: string | undefined };

const LEGACY =
  /\/(startup_context\.yaml|context_compact\.yaml|validation_plan\.yaml|task_packets\/|(logs|summaries)\/task_.*_summary\.yaml)/;
const CORES_UNKNOWN = 2;

/** Everything that can be known before an agent plans: nothing is changed meanwhile but the ticket's own books. */
export async function startUp(verbs: Verbs<Input>) {
  const { see, together, write, end } = verbs;
  const jira = await ticketOf(verbs);
  const folder = `prompts/${jira}`;
  const base = await see("head");
  const seen = await together({
    files: () => see("files", { under: folder }),
    progress: () => see("file", { path: `${folder}/progress.yaml` }),
    startup: () => see("startup"),
    docs: () => seeDocs(verbs, base),
    now: () => see("now"),
  });
  const legacy = seen.files.filter((path) => LEGACY.test(`/${path}`));
  if (legacy.length > 0) return end({ status: "error", reason: `mixed artifact model: ${legacy.join(", ")}` });
  if (statusIn(seen.progress?.text) === "ACCEPTED")
    return end({ status: "done", reason: `${jira} is already accepted` });

  const prompt = await promptOf(verbs, jira);
  const created_at = new Date(seen.now).toISOString();
  await write(`${folder}/prompt.yaml`, stringify({ ...prompt, created_at }), { to: "checkout" });
  const cores = seen.startup.cores >= 1 ? Math.floor(seen.startup.cores) : CORES_UNKNOWN;
  const branch = `${prompt.type}/${jira}_${prompt.slug}`;
  const book = bookOf(verbs, folder, {
    prompt,
    branch,
    commands: seen.startup.commands,
    max_parallel_tasks: cores,
    trust_status: seen.docs.trust_status,
    startedAt: seen.now,
  });
  await book.save({}, "startup.analysis.start", "startup.analysis.complete", "start");
  return { base, prompt, branch, book, cores, docs: seen.docs, commands: seen.startup.commands };
}

export type Started = Awaited<ReturnType<typeof startUp>>;

async function ticketOf({ input, ask, end }: Verbs<Input>): Promise<string> {
  if (input.ticket) return input.ticket;
  const found = ticketsIn(input.request);
  const [only] = found;
  if (!only) return end({ status: "error", reason: "the request names no ticket, such as ABC-123" });
  if (found.length === 1) return only;
  const { choice } = await ask({ title: "Which ticket is it?", show: input.request, choices: found, auto: "never" });
  return choice;
}

/** A clear request costs no dispatch; an unclear one is interpreted, and its open questions go to a person. */
async function promptOf({ input, agent, ask, end }: Verbs<Input>, jira: string): Promise<Prompt> {
  const clear = readPrompt(input.request, jira);
  if (clear) return clear;
  const first = await agent(interpreter, { request: input.request, jira });
  let answer = first;
  if (first.questions.length > 0) {
    const question = { title: "The request leaves questions open", show: first.questions } as const;
    const { choice, note } = await ask({ ...question, choices: ["answer", "abort"], auto: "never" });
    if (choice === "abort") return end({ status: "error", reason: "the request is not clear" });
    answer = await agent(interpreter, {
      request: input.request,
      jira,
      questions: first.questions,
      answers: note ?? "",
    });
  }
  const { type, slug, tool_mandates, refined_prompt, success_criteria } = answer;
  return { jira, type, slug, tool_mandates, original_request: input.request, refined_prompt, success_criteria };
}

function statusIn(text: string | undefined): unknown {
  try {
    // Whatever the file holds, only its status is looked at.
    return text === undefined ? undefined : (parse(text) as { status?: unknown } | null)?.status;
  } catch {
    return undefined;
  }
}

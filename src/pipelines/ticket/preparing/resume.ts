import type { Verbs } from "../../../core/authoring/verbs.ts";
import { findLegacyFiles, getIterationFolder, getTicketFolder } from "../artifacts.ts";
import type { Input, ResumePoint } from "../context.ts";
import { Prompt, type Tasks } from "../contracts.ts";
import { Progress } from "../files/progress.ts";
import { readYaml, type YamlReading } from "../files/yaml-file.ts";
import { chooseOriginalRequest } from "./choose-request.ts";
import { findLeadingTicket, findTickets } from "./request.ts";
import { readTasks } from "./tasks-file.ts";

/** A ticket started by another program or by a run whose journal is gone. */
export type ImportedTicket = { readonly progress: Progress; readonly prompt?: Prompt; readonly at: ResumePoint };

export type TicketLookup = {
  readonly jira: string;
  /** Existing log text; lines are only appended. */
  readonly log: string;
  readonly imported?: ImportedTicket;
  /** Original request of the folder, if the current one replaces it. */
  readonly instead?: string;
};

/** Runs step I0: finds the ticket and its existing files. Writes nothing. */
export async function findTicket(verbs: Verbs<Input>): Promise<TicketLookup> {
  const { see, together } = verbs;
  const jira = await resolveTicket(verbs);
  const folder = getTicketFolder(jira);
  const seen = await together({
    books: () => see("files", { under: folder, ignored: true }),
    progress: () => see("file", { path: `${folder}/progress.yaml` }),
    log: () => see("file", { path: `${folder}/log.jsonl` }),
  });
  const known = seen.progress ? [`${folder}/progress.yaml`, ...seen.books] : seen.books;
  const legacy = findLegacyFiles(known);
  if (legacy.length > 0) return stop(verbs, `mixed artifact model in ${folder}, remove: ${legacy.join(", ")}`);
  const log = seen.log?.text ?? "";
  if (!seen.progress) return { jira, log };
  const progress = await readProgress(verbs, `${folder}/progress.yaml`, seen.progress.text);
  if (progress.status === "ACCEPTED") return { jira, log, instead: await resolveAccepted(verbs, progress) };
  if (!(await canContinue(verbs, progress))) return { jira, log };
  const imported = await importTicket(verbs, progress);
  const kept = imported.prompt?.original_request;
  if (kept === undefined || (await chooseOriginalRequest(verbs, { jira, kept }))) return { jira, log, imported };
  return { jira, log, instead: kept };
}

async function resolveTicket({ input, ask, end }: Verbs<Input>): Promise<string> {
  if (input.ticket) return input.ticket;
  const found = findTickets(input.request);
  const [only] = found;
  if (!only) return end({ status: "error", reason: "the request names no ticket, such as ABC-123" });
  if (found.length === 1) return only;
  const ahead = findLeadingTicket(input.request);
  if (ahead !== undefined) return ahead;
  const { choice } = await ask({ title: "Which ticket is it?", show: input.request, choices: found, auto: "never" });
  return choice;
}

async function readProgress(verbs: Verbs<Input>, file: string, text: string): Promise<Progress> {
  return requireValid(verbs, file, readYaml(text, Progress));
}

/**
 * Ends the run if an accepted ticket gets no new request; otherwise asks a person which request counts. Returns the
 * replaced one.
 * @rule T-29 (policy) A ticket that is already ACCEPTED ends the run with exit 0 and without a dispatch.
 */
async function resolveAccepted(verbs: Verbs<Input>, { jira, branch }: Progress): Promise<string> {
  const text = (await verbs.see("file", { path: `${getTicketFolder(jira)}/prompt.yaml` }))?.text;
  const prompt = text === undefined ? undefined : readYaml(text, Prompt);
  const kept = prompt?.ok ? prompt.value.original_request : "";
  if (kept === "" || (await chooseOriginalRequest(verbs, { jira, kept, accepted: true }))) {
    return verbs.end({ status: "done", reason: `${jira} is already ACCEPTED`, report: { ticket: jira, branch } });
  }
  return kept;
}

/** Returns whether the ticket continues. A failed one restarts; one with a live run must be resumed there. */
async function canContinue(verbs: Verbs<Input>, { jira, status, run_id }: Progress): Promise<boolean> {
  if (status === "REJECTED" || status === "ERROR") return false;
  const alive = run_id === undefined ? [] : await verbs.see("runs");
  if (!alive.some(({ run }) => run === run_id)) return true;
  return stop(
    verbs,
    `${jira} belongs to run ${run_id}, which has not ended: run signalbox resume ${run_id}, or cancel it first`,
  );
}

/**
 * Imports the ticket's other files that its phase requires; an invalid one is refused by name.
 * @rule T-02 (policy) A `progress.yaml` without a journal is imported once, field by field, and work continues at the
 *   first task that is not ACCEPTED.
 */
async function importTicket(verbs: Verbs<Input>, progress: Progress): Promise<ImportedTicket> {
  const { jira, iteration_number: iteration, current_phase: phase } = progress;
  const look = async (path: string) => (await verbs.see("file", { path }))?.text;
  const promptFile = `${getTicketFolder(jira)}/prompt.yaml`;
  const promptText = await look(promptFile);
  const prompt =
    promptText === undefined ? undefined : await requireValid(verbs, promptFile, readYaml(promptText, Prompt));
  const before =
    iteration > 0 ? await look(`${getIterationFolder(jira, iteration - 1)}/review_report.yaml`) : undefined;
  const here = { progress, ...(prompt === undefined ? {} : { prompt }) };
  const old = iteration > 0 ? await look(`${getIterationFolder(jira, iteration - 1)}/plan.md`) : undefined;
  const at = {
    accepted: [],
    ...(before === undefined ? {} : { report: before }),
    ...(old === undefined ? {} : { before: old }),
  };
  if (phase === "INITIALIZED" || phase === "PLANNING") return { ...here, at };
  const plan = await look(`${getIterationFolder(jira, iteration)}/plan.md`);
  const tasksFile = `${getIterationFolder(jira, iteration)}/tasks.yaml`;
  const tasksText = await look(tasksFile);
  const planned = plan === undefined ? at : { ...at, planned: { plan, tasksText } };
  if (phase === "SPLITTING") return { ...here, at: planned };
  const tasks = await requireValid(verbs, tasksFile, readTasks(tasksText));
  const written = { planned: { plan: plan ?? "", tasksText }, tasks };
  // Trees existed only in the lost journal, so those tasks run again from the same plan.
  if (progress.run_id !== undefined) return { ...resetGitGate(here), at: { ...at, ...written } };
  return { ...here, at: { ...at, ...written, accepted: listAccepted(tasks) } };
}

function resetGitGate<T extends { readonly progress: Progress }>(here: T): T {
  return { ...here, progress: { ...here.progress, git_gate_completed: false } };
}

const listAccepted = ({ tasks }: Tasks): string[] =>
  tasks.filter(({ status }) => status === "ACCEPTED").map(({ id }) => id);

async function requireValid<T>(verbs: Verbs<Input>, file: string, read: YamlReading<T>): Promise<T> {
  if (read.ok) return read.value;
  return stop(verbs, read.problems.map((problem) => `${file}: ${problem}`).join("; "));
}

function stop({ end }: Verbs<Input>, reason: string): never {
  return end({ status: "error", reason });
}

/**
 * Combines imported progress with the commands approved here and this run's id.
 * @rule T-28 (policy) A resumed ticket restores its commands, parallelism, branch, type, slug, cache path, mode and
 *   position, and continues on its branch after a completed git gate.
 */
export function restoreProgress(fresh: Progress, said: Progress): Progress {
  const { run_id, build_command, test_command, build_command_from, test_command_from } = fresh;
  const from = {
    ...(build_command_from === undefined ? {} : { build_command_from }),
    ...(test_command_from === undefined ? {} : { test_command_from }),
  };
  return { ...fresh, ...said, ...from, run_id, build_command, test_command, status: "PENDING" };
}

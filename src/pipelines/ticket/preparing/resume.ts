import type { Verbs } from "../../../core/authoring/verbs.ts";
import { folderOf, iterationFolder, mixedModel } from "../artifacts.ts";
import type { Input, ResumePoint } from "../context.ts";
import { Prompt, type Tasks } from "../contracts.ts";
import { readYaml, type YamlReading } from "../files/problems.ts";
import { Progress } from "../files/progress.ts";
import { ticketAhead, ticketsIn } from "./request.ts";
import { readTasks } from "./tasks-file.ts";
import { keptCounts } from "./which-request.ts";

/** A ticket that another program, or a journal that is gone, has begun. */
export type ImportedTicket = { readonly progress: Progress; readonly prompt?: Prompt; readonly at: ResumePoint };

export type TicketLookup = {
  readonly jira: string;
  /** What the log holds already; lines are only ever added to it. */
  readonly log: string;
  readonly imported?: ImportedTicket;
  /** The request that the folder was begun with, where the one given now counts instead. */
  readonly instead?: string;
};

/** Step I0, before anything else: which ticket is it, and is it known? Nothing is written here. */
export async function findTicket(verbs: Verbs<Input>): Promise<TicketLookup> {
  const { see, together } = verbs;
  const jira = await ticketOf(verbs);
  const folder = folderOf(jira);
  const seen = await together({
    books: () => see("files", { under: folder, ignored: true }),
    progress: () => see("file", { path: `${folder}/progress.yaml` }),
    log: () => see("file", { path: `${folder}/log.jsonl` }),
  });
  const known = seen.progress ? [`${folder}/progress.yaml`, ...seen.books] : seen.books;
  const legacy = mixedModel(known);
  if (legacy.length > 0) return stop(verbs, `mixed artifact model in ${folder}, remove: ${legacy.join(", ")}`);
  const log = seen.log?.text ?? "";
  if (!seen.progress) return { jira, log };
  const progress = await progressIn(verbs, `${folder}/progress.yaml`, seen.progress.text);
  if (progress.status === "ACCEPTED") return { jira, log, instead: await acceptedBefore(verbs, progress) };
  if (!(await goesOn(verbs, progress))) return { jira, log };
  const imported = await importTicket(verbs, progress);
  const kept = imported.prompt?.original_request;
  if (kept === undefined || (await keptCounts(verbs, { jira, kept }))) return { jira, log, imported };
  return { jira, log, instead: kept };
}

async function ticketOf({ input, ask, end }: Verbs<Input>): Promise<string> {
  if (input.ticket) return input.ticket;
  const found = ticketsIn(input.request);
  const [only] = found;
  if (!only) return end({ status: "error", reason: "the request names no ticket, such as ABC-123" });
  if (found.length === 1) return only;
  const ahead = ticketAhead(input.request);
  if (ahead !== undefined) return ahead;
  const { choice } = await ask({ title: "Which ticket is it?", show: input.request, choices: found, auto: "never" });
  return choice;
}

async function progressIn(verbs: Verbs<Input>, file: string, text: string): Promise<Progress> {
  return needed(verbs, file, readYaml(text, Progress));
}

/**
 * An accepted ticket needs nothing, unless it is given something else to do: then a person says which request counts.
 * Gives the request that counts no longer.
 * @rule T-29 (policy) A ticket that was accepted says so and costs nothing.
 */
async function acceptedBefore(verbs: Verbs<Input>, { jira, branch }: Progress): Promise<string> {
  const text = (await verbs.see("file", { path: `${folderOf(jira)}/prompt.yaml` }))?.text;
  const prompt = text === undefined ? undefined : readYaml(text, Prompt);
  const kept = prompt?.ok ? prompt.value.original_request : "";
  if (kept === "" || (await keptCounts(verbs, { jira, kept, accepted: true }))) {
    return verbs.end({ status: "done", reason: `${jira} is already ACCEPTED`, report: { ticket: jira, branch } });
  }
  return kept;
}

/** One that ended badly begins anew; one with a living journal is resumed there. */
async function goesOn(verbs: Verbs<Input>, { jira, status, run_id }: Progress): Promise<boolean> {
  if (status === "REJECTED" || status === "ERROR") return false;
  const alive = run_id === undefined ? [] : await verbs.see("runs");
  if (!alive.some(({ run }) => run === run_id)) return true;
  return stop(verbs, `${jira} is in the hands of run ${run_id}: signalbox resume ${run_id}, or cancel it first`);
}

/**
 * The other files of the ticket, as far as its phase has them; each is refused by name when it does not fit.
 * @rule T-02 (policy) Books without a journal are read once, checked field by field, and the work goes on at the first
 *   task that is open.
 */
async function importTicket(verbs: Verbs<Input>, progress: Progress): Promise<ImportedTicket> {
  const { jira, iteration_number: iteration, current_phase: phase } = progress;
  const look = async (path: string) => (await verbs.see("file", { path }))?.text;
  const promptFile = `${folderOf(jira)}/prompt.yaml`;
  const promptText = await look(promptFile);
  const prompt = promptText === undefined ? undefined : await needed(verbs, promptFile, readYaml(promptText, Prompt));
  const before = iteration > 0 ? await look(`${iterationFolder(jira, iteration - 1)}/review_report.yaml`) : undefined;
  const here = { progress, ...(prompt === undefined ? {} : { prompt }) };
  const old = iteration > 0 ? await look(`${iterationFolder(jira, iteration - 1)}/plan.md`) : undefined;
  const at = {
    accepted: [],
    ...(before === undefined ? {} : { report: before }),
    ...(old === undefined ? {} : { before: old }),
  };
  if (phase === "INITIALIZED" || phase === "PLANNING") return { ...here, at };
  const plan = await look(`${iterationFolder(jira, iteration)}/plan.md`);
  const tasksFile = `${iterationFolder(jira, iteration)}/tasks.yaml`;
  const tasksText = await look(tasksFile);
  const planned = plan === undefined ? at : { ...at, planned: { plan, tasksText } };
  if (phase === "SPLITTING") return { ...here, at: planned };
  const tasks = await needed(verbs, tasksFile, readTasks(tasksText));
  const written = { planned: { plan: plan ?? "", tasksText }, tasks };
  // What a journal alone had is gone with it: those tasks are done again, from the same plan.
  if (progress.run_id !== undefined) return { ...ungated(here), at: { ...at, ...written } };
  return { ...here, at: { ...at, ...written, accepted: acceptedIn(tasks) } };
}

function ungated<T extends { readonly progress: Progress }>(here: T): T {
  return { ...here, progress: { ...here.progress, git_gate_completed: false } };
}

const acceptedIn = ({ tasks }: Tasks): string[] =>
  tasks.filter(({ status }) => status === "ACCEPTED").map(({ id }) => id);

async function needed<T>(verbs: Verbs<Input>, file: string, read: YamlReading<T>): Promise<T> {
  if (read.ok) return read.value;
  return stop(verbs, read.problems.map((problem) => `${file}: ${problem}`).join("; "));
}

function stop({ end }: Verbs<Input>, reason: string): never {
  return end({ status: "error", reason });
}

/**
 * What the books say counts; only the commands are those that a person has agreed to here, and the run is this one.
 * @rule T-28 (policy) A ticket that goes on has its commands, names, modes and place again, and works on its branch.
 */
export function resumedProgress(fresh: Progress, said: Progress): Progress {
  const { run_id, build_command, test_command, build_command_from, test_command_from } = fresh;
  const from = {
    ...(build_command_from === undefined ? {} : { build_command_from }),
    ...(test_command_from === undefined ? {} : { test_command_from }),
  };
  return { ...fresh, ...said, ...from, run_id, build_command, test_command, status: "PENDING" };
}

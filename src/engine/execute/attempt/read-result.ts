import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { explainDropped } from "../../../core/checks/guard/explain-dropped.ts";
import { removeSignedValues } from "../../../core/contract/hide-signatures.ts";
import { readContract } from "../../../core/contract/read.ts";
import { SignalboxError } from "../../../core/failure/errors.ts";
import type { Failure } from "../../../core/failure/failure.ts";
import type { AttemptRequest, AttemptResult, Effect, Usage } from "../../../core/journal/effect.ts";
import type { AgentEvent } from "../../../core/ports/driver.ts";
import type { Json } from "../../../core/text/json.ts";
import { redactDeep } from "../../../core/text/redact-deep.ts";
import { readOutside } from "../../../node/outside-file.ts";
import type { ExecutorDeps } from "../executor.ts";
import type { AddedFiles } from "./added-files.ts";
import { type PreparedAttempt, requireRole } from "./prepare-attempt.ts";
import { isForeign, isSignedByAnother } from "./stated-signature.ts";

const LAST_WORDS = 2_000;
/** Long enough for all problems that the reader of an answer reports. */
const MESSAGE = 6_000;
/** Larger files are not searched for a non-blank character. */
const MOST_OF_BLANKS = 1024 * 1024;

export type AttemptWork = {
  readonly prepared: PreparedAttempt;
  readonly dir: string;
  readonly opened: string;
  readonly laid?: AddedFiles;
  readonly last: AgentEvent | undefined;
  readonly repairs: number;
  readonly ms: number;
};

/** Judges a turn: returns its contract and files, or why it counts as failed. */
export async function judgeTurn(
  parts: ExecutorDeps,
  effect: Effect<"attempt">,
  attempt: AttemptWork,
): Promise<AttemptResult> {
  const { last, ms, prepared } = attempt;
  if (last?.type !== "turn.finished") {
    const failure = last?.type === "turn.failed" ? last.failure : SILENT;
    const work = await retainWork(parts, effect, attempt);
    const result = createFailedResult(parts, failure, { ms, usage: last && "usage" in last ? last.usage : undefined });
    return failure.class === "contract" ? addRetainedWork(result, effect, work) : result;
  }
  const read = readAnswer(prepared, effect.request, last.text);
  if (read.ok) return checkDelivery(parts, effect, { ...attempt, contract: read.value, usage: last.usage });
  const work = await retainWork(parts, effect, attempt);
  const message = formatCleanProblem(parts, { prepared, request: effect.request, text: last.text }) ?? read.message;
  const failure: Failure = { class: "contract", code: read.code, message, last: last.text };
  const broken = findOutsideBreach(effect.request, work?.outside ?? []);
  // A breach that would fail a readable answer also fails an unreadable one.
  const both = broken && { ...broken, message: `${broken.message}; and ${message}`, last: last.text };
  const result = createFailedResult(parts, both ?? failure, { ms, usage: last.usage });
  // An answer signed by another agent means that the work may be another agent's too.
  return isForeign(prepared, last.text) || read.code.startsWith("signature")
    ? result
    : addRetainedWork(result, effect, work);
}

/** Adds the work, if there is any: the next attempt starts with it. */
function addRetainedWork(
  result: FailedResult,
  { request }: Effect<"attempt">,
  work: LeftWork | undefined,
): FailedResult {
  if (work === undefined || work.after === request.tree || findOutsideBreach(request, work.outside)) return result;
  return { ...result, kept: work.after };
}

type Delivery = AttemptWork & { readonly contract: Json; readonly usage: Usage | undefined };

/** Judges a valid answer with the files that belong to it. */
async function checkDelivery(parts: ExecutorDeps, effect: Effect<"attempt">, work: Delivery): Promise<AttemptResult> {
  const { prepared, contract, usage, ms } = work;
  const { request } = effect;
  const lost = await findFolderLoss(prepared.role, work.dir);
  if (lost) return createFailedResult(parts, lost, { ms, usage });
  const taken = prepared.role.writes ? await takeSnapshot(parts, effect, work).catch(toUntakeableFailure) : undefined;
  if (taken && "message" in taken) return createFailedResult(parts, taken, { ms, usage });
  const delivers = listDueFiles(prepared, request, contract);
  const broken = taken && (await findBreach({ ...request, delivers }, work.dir, taken.outside));
  if (broken) return addRetainedWork(createFailedResult(parts, broken, { ms, usage }), effect, taken);
  return {
    outcome: "done",
    contract: redactContract(parts, contract, await listSignatures(parts, request)),
    ...taken,
    ...(usage ? { usage } : {}),
    ...(work.repairs > 0 ? { repairs: work.repairs } : {}),
    ms,
  };
}

/** An agent that reports its own failure need not have delivered anything; its reason counts. */
const listDueFiles = (
  { role }: PreparedAttempt,
  { delivers = [] }: AttemptRequest,
  contract: Json,
): readonly string[] => (role.writes && !role.fails?.(contract) ? delivers : []);

function readAnswer({ dialect, role, definition }: PreparedAttempt, { nonce }: AttemptRequest, text: string) {
  const { signature } = definition;
  const signed = role.signed && signature !== undefined ? { signature } : {};
  return readContract({ dialect, text, nonce, schema: role.contract, ...signed });
}

type AnswerInput = { readonly prepared: PreparedAttempt; readonly request: AttemptRequest; readonly text: string };
type LocatedAnswer = AnswerInput & { readonly dir: string };

/** Returns a problem that the agent can fix by answering again or writing a missing file. A wrong signature is none. */
export async function findAnswerProblem(parts: ExecutorDeps, answer: LocatedAnswer): Promise<string | undefined> {
  const { prepared, request, text, dir } = answer;
  const read = readAnswer(prepared, request, text);
  if (read.ok) {
    const missing = await listMissingFiles(dir, listDueFiles(prepared, request, read.value));
    return missing.length === 0 ? undefined : formatMissing(missing);
  }
  if (read.code.startsWith("signature") || isSignedByAnother(prepared, text)) return undefined;
  return formatCleanProblem(parts, { prepared, request, text }) ?? parts.world.redact(read.message);
}

/**
 * A problem quotes parts of the answer, and a part of a secret is not recognized, so the redacted answer is read again.
 */
function formatCleanProblem(parts: ExecutorDeps, { prepared, request, text }: AnswerInput): string | undefined {
  const read = readAnswer(prepared, request, parts.world.redact(text));
  return read.ok ? undefined : read.message;
}

/** Removes secrets: answers are recorded, shown and passed on. */
function redactContract({ world }: ExecutorDeps, contract: Json, signatures: readonly string[]): Json {
  return redactDeep(contract, (text) => removeSignedValues(world.redact(text), signatures));
}

/** Lists all signatures to remove: a signature identifies a role only as long as no other role receives it. */
async function listSignatures(parts: ExecutorDeps, request: AttemptRequest): Promise<readonly string[]> {
  const { pipeline } = requireRole(parts, request);
  const signed = pipeline.roles.filter((role) => role.signed);
  const defined = await Promise.all(signed.map(({ name }) => parts.definitions.define(pipeline, name)));
  return defined.flatMap(({ signature }) => (signature === undefined ? [] : [signature]));
}

/** Returns a breach that a valid answer does not excuse: forbidden files, or missing required ones. */
async function findBreach(
  request: AttemptRequest,
  dir: string,
  outside: readonly string[],
): Promise<Failure | undefined> {
  const breach = findOutsideBreach(request, outside);
  if (breach) return breach;
  const { delivers = [], writes } = request;
  const missing = await listMissingFiles(dir, delivers);
  const refused = delivers.filter((path) => !missing.includes(path) && outside.includes(path));
  if (missing.length + refused.length === 0) return undefined;
  const message = [
    ...(missing.length > 0 ? [formatMissing(missing)] : []),
    ...(refused.length > 0 ? [`there, but not taken: ${refused.join(", ")} (${explainDropped(writes)})`] : []),
  ].join("; ");
  return { class: "contract", code: "output_missing", message };
}

const formatMissing = (missing: readonly string[]): string => `missing or empty: ${missing.join(", ")}`;

async function listMissingFiles(dir: string, paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map((path) => isFilled(join(dir, path))));
  return paths.filter((_path, at) => !there[at]);
}

function findOutsideBreach({ outside: then, writes }: AttemptRequest, outside: readonly string[]): Failure | undefined {
  if (then !== "fail" || outside.length === 0) return undefined;
  const message = `changed files that are not its own: ${outside.join(", ")} (${explainDropped(writes)})`;
  return { class: "contract", code: "write_outside", message };
}

/** Fails if the folder is gone: files can be taken only from the folder that was created. */
async function findFolderLoss({ writes }: PreparedAttempt["role"], dir: string): Promise<Failure | undefined> {
  const found = writes ? await lstat(dir).catch(() => undefined) : undefined;
  return !writes || found?.isDirectory() ? undefined : FOLDER_LOST;
}

/** Turns an error into a failure that the agent can avoid; the next prompt tells it. */
function toUntakeableFailure(error: unknown): Failure {
  if (!(error instanceof SignalboxError) || !UNTAKEABLE.has(error.code)) throw error;
  return { class: "contract", code: error.code.toLowerCase(), message: `${error.message}. ${error.hint}` };
}

const UNTAKEABLE: ReadonlySet<string> = new Set(["FILES_TOO_LARGE", "FOLDER_UNREADABLE"]);

async function isFilled(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile() || found.size > MOST_OF_BLANKS) return found?.isFile() ?? false;
  const read = readOutside(file, MOST_OF_BLANKS);
  return read.ok && read.text.trim() !== "";
}

const FOLDER_LOST: Failure = {
  class: "transient",
  code: "folder_lost",
  message: "the agent moved or removed its own folder, so there is nothing to take from it",
};
const SILENT: Failure = { class: "transient", code: "agent_silent", message: "the agent ended without an answer" };

type FailedResult = Extract<AttemptResult, { outcome: "failed" }>;

function createFailedResult(
  parts: ExecutorDeps,
  failure: Failure,
  at: { ms: number; usage: Usage | undefined },
): FailedResult {
  const { redact } = parts.world;
  const said = failure.last === undefined ? {} : { last: redact(failure.last).slice(-LAST_WORDS) };
  const clean = { ...failure, message: redact(failure.message).slice(0, MESSAGE), ...said };
  return { outcome: "failed", failure: clean, ms: at.ms, ...(at.usage ? { usage: at.usage } : {}) };
}

async function takeSnapshot(parts: ExecutorDeps, effect: Effect<"attempt">, work: AttemptWork) {
  const { request } = effect;
  const { tree, changed, outside } = await parts.workspace.snapshot(work.dir, {
    opened: work.opened,
    onto: request.tree,
    ...(request.writes ? { writes: request.writes } : {}),
    ...(request.free ? { free: request.free } : {}),
    kept: request.rendered.map((file) => file.path),
    ...(work.laid ? { laid: work.laid.paths } : {}),
  });
  await parts.workspace.pin(effect.run, tree);
  return { after: tree, changed, outside };
}

type LeftWork = { readonly after: string; readonly outside: readonly string[] };

/** Pins the work of a failed attempt as a tree, so that a person or the next attempt can reach it. */
async function retainWork(
  parts: ExecutorDeps,
  effect: Effect<"attempt">,
  work: AttemptWork,
): Promise<LeftWork | undefined> {
  if (!work.prepared.role.writes) return undefined;
  try {
    return await takeSnapshot(parts, effect, work);
  } catch {
    // An agent that damaged its own folder has left nothing to store; its failure is still reported.
    return undefined;
  }
}

import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readContract } from "../../core/contract/read.ts";
import type { AttemptRequest, AttemptResult, Effect, Usage } from "../../core/effect.ts";
import type { Failure } from "../../core/failure.ts";
import type { Json } from "../../core/json.ts";
import type { AgentEvent } from "../../core/ports/driver.ts";
import { redactDeep } from "../../core/redact-deep.ts";
import { type Desk, roleOf } from "./desk.ts";
import type { PerformerParts } from "./performer.ts";

const LAST_WORDS = 2_000;
const MESSAGE = 1_000;

export type Work = {
  readonly desk: Desk;
  readonly dir: string;
  readonly opened: string;
  readonly last: AgentEvent | undefined;
  readonly repairs: number;
  readonly ms: number;
};

/** What the turn came to: its contract and its files, or why it counts as failed. */
export async function judge(parts: PerformerParts, effect: Effect<"attempt">, work: Work): Promise<AttemptResult> {
  const { last, ms, desk } = work;
  if (last?.type !== "turn.finished") {
    const failure = last?.type === "turn.failed" ? last.failure : SILENT;
    await pinWork(parts, effect, work);
    return failed(parts, failure, { ms, usage: last && "usage" in last ? last.usage : undefined });
  }
  const read = reading(desk, effect.request, last.text);
  if (read.ok) return delivered(parts, effect, { ...work, contract: read.value, usage: last.usage });
  await pinWork(parts, effect, work);
  const message = cleanProblem(parts, { desk, request: effect.request, text: last.text }) ?? read.message;
  const failure: Failure = { class: "contract", code: read.code, message, last: last.text };
  return failed(parts, failure, { ms, usage: last.usage });
}

type Delivery = Work & { readonly contract: Json; readonly usage: Usage | undefined };

/** A valid answer, with the files that go with it. */
async function delivered(parts: PerformerParts, effect: Effect<"attempt">, work: Delivery): Promise<AttemptResult> {
  const { desk, contract, usage, ms } = work;
  const { request } = effect;
  const lost = await lossOf(desk.role, work.dir);
  if (lost) return failed(parts, lost, { ms, usage });
  const taken = desk.role.writes ? await take(parts, effect, work) : undefined;
  // An agent that says it failed need not have delivered anything; its own reason counts.
  const due = desk.role.fails?.(contract) ? [] : (request.delivers ?? []);
  const broken = taken && (await breachOf({ ...request, delivers: due }, work.dir, taken.outside));
  if (broken) return failed(parts, broken, { ms, usage });
  return {
    outcome: "done",
    contract: withoutSecrets(parts, contract, await signaturesOf(parts, request)),
    ...taken,
    ...(usage ? { usage } : {}),
    ...(work.repairs > 0 ? { repairs: work.repairs } : {}),
    ms,
  };
}

function reading({ dialect, role, definition }: Desk, { nonce }: AttemptRequest, text: string) {
  const { signature } = definition;
  const signed = role.signed && signature !== undefined ? { signature } : {};
  return readContract({ dialect, text, nonce, schema: role.contract, ...signed });
}

type Answer = { readonly desk: Desk; readonly request: AttemptRequest; readonly text: string };

/** What can be mended by saying it again; a wrong signature cannot. */
export function problemOf(parts: PerformerParts, { desk, request, text }: Answer): string | undefined {
  const read = reading(desk, request, text);
  if (read.ok || read.code.startsWith("signature")) return undefined;
  return cleanProblem(parts, { desk, request, text }) ?? parts.world.redact(read.message);
}

/** A problem quotes the answer in pieces, and a piece of a secret is not recognized: so it is read again without any. */
function cleanProblem(parts: PerformerParts, { desk, request, text }: Answer): string | undefined {
  const read = reading(desk, request, parts.world.redact(text));
  return read.ok ? undefined : read.message;
}

/** What an agent says is recorded, shown and handed on: secrets end here. */
function withoutSecrets({ world }: PerformerParts, contract: Json, signatures: readonly string[]): Json {
  return redactDeep(contract, (text) =>
    signatures.reduce((clean, value) => clean.replaceAll(value, "[signature]"), world.redact(text)),
  );
}

/** A signature tells roles apart only for as long as no other role is sent it. */
async function signaturesOf(parts: PerformerParts, request: AttemptRequest): Promise<readonly string[]> {
  const { pipeline } = roleOf(parts, request);
  const signed = pipeline.roles.filter((role) => role.signed);
  const defined = await Promise.all(signed.map(({ name }) => parts.definitions.define(pipeline, name)));
  return defined.flatMap(({ signature }) => (signature === undefined ? [] : [signature]));
}

/** What a valid answer does not excuse: files where none may be, or none where some must be. */
async function breachOf(
  { outside: then, delivers = [] }: AttemptRequest,
  dir: string,
  outside: readonly string[],
): Promise<Failure | undefined> {
  if (then === "fail" && outside.length > 0) {
    const message = `changed files that are not its own: ${outside.join(", ")}`;
    return { class: "contract", code: "write_outside", message };
  }
  const there = await Promise.all(delivers.map((path) => isFilled(join(dir, path))));
  const missing = delivers.filter((path, at) => !there[at] || outside.includes(path));
  if (missing.length === 0) return undefined;
  return { class: "contract", code: "output_missing", message: `missing or empty: ${missing.join(", ")}` };
}

/** Files can be taken only from the folder that was opened. */
async function lossOf({ writes }: Desk["role"], dir: string): Promise<Failure | undefined> {
  const found = writes ? await lstat(dir).catch(() => undefined) : undefined;
  return !writes || found?.isDirectory() ? undefined : FOLDER_LOST;
}

async function isFilled(file: string): Promise<boolean> {
  if (!(await lstat(file).catch(() => undefined))?.isFile()) return false;
  return (await readFile(file, "utf8")).trim() !== "";
}

const FOLDER_LOST: Failure = {
  class: "transient",
  code: "folder_lost",
  message: "the agent moved or removed its own folder, so there is nothing to take from it",
};
const SILENT: Failure = { class: "transient", code: "agent_silent", message: "the agent ended without an answer" };

function failed(parts: PerformerParts, failure: Failure, at: { ms: number; usage: Usage | undefined }): AttemptResult {
  const { redact } = parts.world;
  const said = failure.last === undefined ? {} : { last: redact(failure.last).slice(-LAST_WORDS) };
  const clean = { ...failure, message: redact(failure.message).slice(0, MESSAGE), ...said };
  return { outcome: "failed", failure: clean, ms: at.ms, ...(at.usage ? { usage: at.usage } : {}) };
}

async function take(parts: PerformerParts, effect: Effect<"attempt">, work: Work) {
  const { request } = effect;
  const { tree, changed, outside } = await parts.workspace.snapshot(work.dir, {
    opened: work.opened,
    onto: request.tree,
    ...(request.writes ? { writes: request.writes } : {}),
    kept: request.rendered.map((file) => file.path),
  });
  await parts.workspace.pin(effect.run, tree);
  return { after: tree, changed, outside };
}

/** The work of a failed attempt is of no use to the run, but perhaps to a person: it stays reachable. */
async function pinWork(parts: PerformerParts, effect: Effect<"attempt">, work: Work): Promise<void> {
  if (!work.desk.role.writes) return;
  try {
    await take(parts, effect, work);
  } catch {
    // An agent that wrecked its own folder has left nothing to keep; its failure is reported all the same.
  }
}

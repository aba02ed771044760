import { lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Dialect } from "../../core/contract/dialect.ts";
import { readContract } from "../../core/contract/read.ts";
import type { AttemptRequest, AttemptResult, Effect, Usage } from "../../core/effect.ts";
import { SignalboxError } from "../../core/errors.ts";
import type { Failure } from "../../core/failure.ts";
import type { Json } from "../../core/json.ts";
import type { Definition } from "../../core/ports/definitions.ts";
import { type AgentEvent, type DispatchOrder, HOME_FOLDERS } from "../../core/ports/driver.ts";
import type { Role } from "../../core/role.ts";
import type { Chores } from "./chores.ts";
import { within } from "./confine.ts";
import { converse } from "./converse.ts";
import { ownVariables } from "./own-variables.ts";
import type { PerformerParts } from "./performer.ts";
import { promptFor } from "./prompt.ts";

const LAST_WORDS = 2_000;
const FOLDER = { recursive: true, mode: 0o700 } as const;

/** Opens the tree, lets the agent work, takes the snapshot: one effect, because they share a disk. */
export async function performAttempt(
  parts: PerformerParts,
  effect: Effect<"attempt">,
  { signal, chores }: { readonly signal: AbortSignal; readonly chores: Chores },
): Promise<AttemptResult> {
  const startedAt = parts.world.now();
  const [desk, opened] = await Promise.all([
    prepare(parts, effect),
    parts.workspace.render(effect.request.tree, effect.request.rendered),
  ]);
  const [place] = await Promise.all([parts.workspace.open(opened, desk.name), furnish(desk.home)]);
  await writeNote(desk.note, { dir: place.dir, opened });
  const { variables, release } = await ownVariables(parts, effect);
  try {
    const order = { ...(await desk.order(place.dir)), variables };
    const { walls } = parts;
    const processes = await within({ ...parts, walls, dir: place.dir, home: desk.home, network: "all" });
    const { driver } = desk.definition;
    const unusable = (text: string) => problemOf(reading(desk, effect.request, text));
    const { last, repairs } = await converse({ driver, order, processes, signal, unusable });
    if (signal.aborted) return { outcome: "interrupted" };
    const judged = await judge(parts, effect, {
      desk,
      dir: place.dir,
      opened,
      last,
      repairs,
      ms: parts.world.now() - startedAt,
    });
    const result = played(desk, judged);
    // Before the folder goes: an engine that dies while it is removed must not leave half of it to be judged again.
    await writeNote(desk.note, { dir: place.dir, opened, result });
    return result;
  } finally {
    release();
    // With the packages that an agent installed there it takes seconds, and the answer is complete.
    chores.add(() => place.close());
    chores.add(() => rm(desk.home, { recursive: true, force: true }));
  }
}

/** While git is at work on the tree: one after the other they would cost a tenth of what starting an agent does. */
async function furnish(home: string): Promise<void> {
  await Promise.all(Object.values(HOME_FOLDERS).map((folder) => mkdir(join(home, folder), FOLDER)));
}

/** The engine that began it is gone: take the answer if the agent had finished by itself, otherwise discard its tree. */
export async function adoptAttempt(parts: PerformerParts, effect: Effect<"attempt">): Promise<AttemptResult> {
  const desk = await prepare(parts, effect);
  const note = await readNote(desk.note);
  const order = await desk.order(note?.dir ?? desk.home);
  try {
    if (note?.result) return adopted(note.result);
    const last = note && (await desk.definition.driver.adopt(order, parts.processes));
    if (!note || !last) return { outcome: "interrupted" };
    return adopted(played(desk, await judge(parts, effect, { desk, ...note, last, repairs: 0, ms: 0 })));
  } finally {
    await parts.processes.sweep(effect.id);
    if (note) await rm(note.dir, { recursive: true, force: true });
    await rm(desk.home, { recursive: true, force: true });
  }
}

/** What a later engine must know to take the work of this attempt. */
type Note = { readonly dir: string; readonly opened: string; readonly result?: AttemptResult };

async function writeNote(file: string, note: Note): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(note));
  await rename(`${file}.new`, file);
}

function played({ definition: { driver, model } }: Desk, result: AttemptResult): AttemptResult {
  if (result.outcome === "interrupted") return result;
  return { ...result, by: model === undefined ? driver.name : `${driver.name}:${model}` };
}

function adopted(result: AttemptResult): AttemptResult {
  return result.outcome === "done" ? { ...result, adopted: true } : result;
}

async function readNote(file: string): Promise<Note | undefined> {
  try {
    // Only writeNote makes these, and it replaces them whole.
    return JSON.parse(await readFile(file, "utf8")) as Note;
  } catch {
    return undefined;
  }
}

type Desk = {
  readonly name: string;
  readonly home: string;
  readonly note: string;
  readonly role: Role<unknown, unknown, boolean>;
  readonly dialect: Dialect;
  readonly definition: Definition;
  order(cwd: string): Promise<DispatchOrder>;
};

async function prepare(parts: PerformerParts, effect: Effect<"attempt">): Promise<Desk> {
  const { request } = effect;
  const { pipeline, role } = roleOf(parts, request);
  const definition = await parts.definitions.define(pipeline, role.name, request.instead);
  // Keys hold spaces and slashes; a hash is a folder's name on every system.
  const name = `${effect.run}-${parts.world.hash(effect.id).slice(0, 16)}`;
  const home = join(parts.cache, "homes", name);
  const spool = join(parts.runs, effect.run, "spool", name);
  await Promise.all([mkdir(home, FOLDER), mkdir(spool, FOLDER)]);
  return {
    name,
    home,
    note: join(spool, "attempt.json"),
    role,
    dialect: pipeline.dialect,
    definition,
    order: async (cwd) => ({
      ...request,
      effect: effect.id,
      run: effect.run,
      dialect: pipeline.dialect,
      ...(definition.signature === undefined ? {} : { signature: definition.signature }),
      ...(definition.model === undefined ? {} : { model: definition.model }),
      prompt: promptFor({ definition, role, request, dialect: pipeline.dialect }),
      cwd,
      home,
      spool,
    }),
  };
}

function roleOf(parts: PerformerParts, request: AttemptRequest) {
  const pipeline = parts.pipelines(request.pipeline);
  const role = pipeline?.roles.find((each) => each.name === request.role);
  if (pipeline && role) return { pipeline, role };
  throw new SignalboxError(
    "PIPELINE_UNKNOWN",
    `This machine has no role "${request.role}" in a pipeline "${request.pipeline}".`,
    "Use the same version of signalbox and of the repository's pipelines everywhere.",
  );
}

type Work = {
  readonly desk: Desk;
  readonly dir: string;
  readonly opened: string;
  readonly last: AgentEvent | undefined;
  readonly repairs: number;
  readonly ms: number;
};

async function judge(parts: PerformerParts, effect: Effect<"attempt">, work: Work): Promise<AttemptResult> {
  const { last, ms, desk } = work;
  if (last?.type !== "turn.finished") {
    const failure = last?.type === "turn.failed" ? last.failure : SILENT;
    await pinWork(parts, effect, work);
    return failed(parts, failure, { ms, usage: last && "usage" in last ? last.usage : undefined });
  }
  const read = reading(desk, effect.request, last.text);
  if (!read.ok) {
    await pinWork(parts, effect, work);
    const failure: Failure = {
      class: "contract",
      code: read.code,
      message: read.message,
      last: last.text.slice(-LAST_WORDS),
    };
    return failed(parts, failure, { ms, usage: last.usage });
  }
  const taken = desk.role.writes ? await take(parts, effect, work) : undefined;
  // An agent that says it failed need not have delivered anything; its own reason counts.
  const due = desk.role.fails?.(read.value) ? [] : (effect.request.delivers ?? []);
  const broken = taken && (await breachOf({ ...effect.request, delivers: due }, work.dir, taken.outside));
  if (broken) return failed(parts, broken, { ms, usage: last.usage });
  return {
    outcome: "done",
    contract: withoutSecrets(parts, read.value, await signaturesOf(parts, effect.request)),
    ...taken,
    ...(last.usage ? { usage: last.usage } : {}),
    ...(work.repairs > 0 ? { repairs: work.repairs } : {}),
    ms,
  };
}

function reading({ dialect, role, definition }: Desk, { nonce }: AttemptRequest, text: string) {
  const { signature } = definition;
  const signed = role.signed && signature !== undefined ? { signature } : {};
  return readContract({ dialect, text, nonce, schema: role.contract, ...signed });
}

/** What can be mended by saying it again; a wrong signature cannot. */
function problemOf(read: ReturnType<typeof reading>): string | undefined {
  return read.ok || read.code.startsWith("signature") ? undefined : read.message;
}

/** What an agent says is recorded, shown and handed on: secrets end here. */
function withoutSecrets(parts: PerformerParts, contract: Json, signatures: readonly string[]): Json {
  const clean = parts.world.redact(JSON.stringify(contract));
  // Neither redaction nor this puts in anything that JSON would read.
  return JSON.parse(signatures.reduce((text, value) => text.replaceAll(value, "[signature]"), clean)) as Json;
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

async function isFilled(file: string): Promise<boolean> {
  if (!(await lstat(file).catch(() => undefined))?.isFile()) return false;
  return (await readFile(file, "utf8")).trim() !== "";
}

const SILENT: Failure = { class: "transient", code: "agent_silent", message: "the agent ended without an answer" };

function failed(parts: PerformerParts, failure: Failure, at: { ms: number; usage: Usage | undefined }): AttemptResult {
  const said = failure.last === undefined ? {} : { last: parts.world.redact(failure.last) };
  const clean = { ...failure, message: parts.world.redact(failure.message), ...said };
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

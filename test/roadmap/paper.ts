import { createHash } from "node:crypto";
import type { WriteResult } from "../../src/core/authoring/verbs.ts";
import { readContract } from "../../src/core/contract/read.ts";
import type { AttemptRequest, Effect, WriteRequest } from "../../src/core/journal/effect.ts";
import type { Json } from "../../src/core/text/json.ts";
import { formatPrompt } from "../../src/engine/execute/attempt/prompt.ts";
import { createItem } from "../../src/pipelines/roadmap/choosing/item.fixture.ts";
import { roadmap } from "../../src/pipelines/roadmap/index.ts";
import { changesIn, type Files, type Play, paperWorld, treeOf } from "../support/answers/paper-world.ts";
import { anyInput, COMMANDS, cast } from "../support/answers/scenario.ts";
import { finishedOf, lookAt, type People, type PlayedRun, toEnd } from "../support/played.ts";
import { stage } from "../support/stage.ts";

export { createItem } from "../../src/pipelines/roadmap/choosing/item.fixture.ts";
export { afterPreflight, announced, commits, questions } from "../support/played.ts";

export const pipeline = anyInput(roadmap);
export const MEMORY = ".signalbox/memory/roadmap.json";
export const ADR = "docs/adr/ADR-001-store.md";

export const NO_RESEARCH = { patterns: [], constraints: [], risks: [], fileLocations: [], openDecisions: [] };

/** Text answers are parsed as the engine does, including the signature. */
export type Said = Play | { readonly reply: string; readonly files?: Files } | { readonly outcome: "interrupted" };
export type Part = (request: AttemptRequest) => Said;

export const success = { status: "success", evidence: ["done as asked"] };
export const blocked = { status: "blocked", evidence: ["looked at it"], blockedReason: "the API key is missing" };
export const says = (contract: object, files: Files = {}): Part => {
  return () => ({ contract, files });
};

export const PARTS: Readonly<Record<string, Part>> = {
  Research: says({ ...success, evidence: ["src/store.ts:1 keeps notes"], learnings: ["notes are JSON"] }),
  Architect: ({ instance }) =>
    instance === "Architect (design)"
      ? { contract: { ...success, mode: "design", adr: ADR, interfaces: ["Store.put"] }, files: { [ADR]: "# Store\n" } }
      : { contract: { ...success, mode: "validation", evidence: ["it follows the ADR"] } },
  Implement: ({ task }) => ({
    contract: { ...success, files: [`src/item-${task}.ts — the item`], evidence: [`item ${task} is built`] },
    files: { [`src/item-${task}.ts`]: "export {};\n" },
  }),
  Testing: ({ task }) => ({
    contract: { ...success, evidence: ["3 tests passed"] },
    files: { [`test/item-${task}.test.ts`]: "export {};\n" },
  }),
  Review: says({ ...success, verdict: "ship", evidence: ["lint and build are green"] }),
};

/** The user's checkout, as far as the run reads it. */
export type Checkout = Map<string, string>;

export type Setting = Pick<People, "answers"> & {
  /** The roadmap: its items, or the whole file. */
  readonly items?: readonly object[];
  readonly text?: string;
  readonly parts?: Readonly<Record<string, Part>>;
  readonly base?: Files;
  readonly commands?: readonly { readonly name: string; readonly run: string }[];
  readonly approvals?: "interactive" | "autonomous";
  /** Edits of a person in the checkout during an effect. */
  readonly meanwhile?: (effect: Effect, checkout: Checkout) => void;
  /** Edits of a person in the checkout while the run is parked. */
  readonly parked?: (checkout: Checkout) => void;
  /** Checkout of an earlier run, to continue in the same repository. */
  readonly checkout?: Checkout;
  /** Result of an effect if it differs from the paper world's. */
  readonly instead?: (effect: Effect) => unknown;
  /** Branches of the repository, by name. */
  readonly branches?: (name: string) => { commit: string; tree: string; subjects: readonly string[] } | undefined;
};

export type Played = PlayedRun & {
  readonly report: Json;
  /** Complete prompt of each dispatch, including the definition. */
  readonly prompts: readonly string[];
  /** The roadmap after each write of it. */
  readonly written: readonly string[];
  readonly checkout: Checkout;
};

/** Runs the pipeline once on a memory host, to its end or to a question without an answer. */
export async function play(setting: Setting = {}): Promise<Played> {
  const effects: Effect[] = [];
  const text = setting.text ?? JSON.stringify({ items: setting.items ?? [createItem(1)] }, null, 2);
  const checkout: Checkout = setting.checkout ?? new Map([["roadmap.json", text]]);
  const perform = createPerformer(setting, checkout);
  const s = await stage({
    pipeline,
    perform: (effect) => {
      effects.push(effect);
      setting.meanwhile?.(effect, checkout);
      return perform(effect);
    },
    order: {
      input: { file: "roadmap.json" },
      approvals: setting.approvals ?? "autonomous",
      commands: [...(setting.commands ?? COMMANDS)],
      base: { commit: "c0", tree: "base" },
    },
  });
  const end = await toEnd(s, { answers: setting.answers ?? [], parked: () => setting.parked?.(checkout) });
  const run = await lookAt(s, effects, end);
  return {
    ...run,
    report: (finishedOf(run.records)?.report ?? null) as Json,
    prompts: run.sent.map(promptOf),
    written: writes(effects).flatMap(({ path, text: now }) => (path === "roadmap.json" ? [now] : [])),
    checkout,
  };
}

function createPerformer(setting: Setting, checkout: Checkout): (effect: Effect) => unknown {
  const parts = cast({ ...PARTS, ...setting.parts } as Record<string, (request: AttemptRequest) => Play>);
  const commands = setting.commands ?? COMMANDS;
  const paper = paperWorld({
    pipeline,
    base: setting.base ?? {},
    commands,
    play: parts,
    checkout: (path) => checkout.get(path),
    ...(setting.branches ? { branch: setting.branches } : {}),
  });
  return (effect) => {
    const own = setting.instead?.(effect);
    if (own !== undefined) return own;
    if (effect.kind === "write") return effect.request.to === "mirror" ? paper(effect) : put(checkout, effect.request);
    if (effect.kind !== "attempt") return paper(effect);
    // The cast below handles contracts only, so a text reply bypasses it.
    const said = parts(effect.request) as Said;
    if ("outcome" in said) return said;
    return "reply" in said ? parseReply(effect.request, said) : paper(effect);
  };
}

/** Replaces a file of the checkout like the workspace: never over a person's edit. */
function put(checkout: Checkout, { path, text, ifHash }: WriteRequest): WriteResult {
  const now = checkout.get(path);
  const edited = ifHash !== undefined && now !== text && (now === undefined || digest(now) !== ifHash);
  if (edited) return { hash: now === undefined ? "" : digest(now), refused: "it was edited" };
  checkout.set(path, text);
  return { hash: digest(text) };
}

/** Returns the built-in definition's own signature value. */
export function signatureOf(role: string): string {
  const prompt = pipeline.roles.find(({ name }) => name === role)?.prompt ?? "";
  return /^SIGNED_VALUE: (\S+)$/m.exec(prompt)?.[1] ?? "";
}

type TextReply = Extract<Said, { reply: string }>;

function parseReply(request: AttemptRequest, { reply, files = {} }: TextReply): unknown {
  const role = pipeline.roles.find(({ name }) => name === request.role);
  if (!role) throw new Error(`there is no role ${request.role}`);
  const signature = role.signed ? { signature: signatureOf(role.name) } : {};
  const text = reply.replaceAll("{{nonce}}", request.nonce);
  const read = readContract({ dialect: "markdown", nonce: request.nonce, schema: role.contract, text, ...signature });
  if (read.ok) {
    const taken = role.writes
      ? { after: treeOf({ ...changesIn(request.tree), ...files }), changed: Object.keys(files), outside: [] }
      : {};
    return { outcome: "done", contract: read.value, ms: 1, ...taken };
  }
  return { outcome: "failed", failure: { class: "contract", code: read.code, message: read.message }, ms: 1 };
}

/** Renders the prompt of an agent with the built-in definition. */
export function promptOf(request: AttemptRequest): string {
  const role = pipeline.roles.find(({ name }) => name === request.role);
  if (!role) throw new Error(`there is no role ${request.role}`);
  // Only the prompt of the definition is read here.
  const definition = { prompt: role.prompt ?? "", from: "built in" } as Parameters<
    typeof formatPrompt
  >[0]["definition"];
  return formatPrompt({ definition, role, request, dialect: "markdown" });
}

/** Creates a reply in the pipeline's own format, with the signature that the role requires. */
export const reply = (role: string, fields: string, signed = `- Agent Signature: ${signatureOf(role)}`): string =>
  ["### Orchestrator Contract", "", "- Nonce: {{nonce}}", fields.trim(), signed].filter(Boolean).join("\n");

export const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
export const writes = (effects: readonly Effect[]): readonly WriteRequest[] =>
  effects.flatMap((effect) => (effect.kind === "write" ? [effect.request] : []));

/** Lists the dispatched steps in order. */
export const steps = ({ sent }: Pick<Played, "sent">): string[] => sent.map(({ instance }) => instance);
export const inputsOf = (played: Played, step: string): Record<string, unknown>[] =>
  // Inputs of this pipeline's roles are objects.
  played.sent.filter(({ instance }) => instance === step).map(({ input }) => input as Record<string, unknown>);
export const inputOf = (played: Played, step: string): Record<string, unknown> => inputsOf(played, step)[0] ?? {};
type Raw = { items: Record<string, unknown>[]; learnings?: unknown };
/** Returns the current file, with a bare list converted to the same form. */
export function fileOf({ checkout }: Pick<Played, "checkout">): Raw {
  const raw = JSON.parse(checkout.get("roadmap.json") ?? "null") as Raw | Raw["items"];
  return Array.isArray(raw) ? { items: raw } : raw;
}
export const itemOf = (played: Pick<Played, "checkout">, id: number | string): Record<string, unknown> =>
  fileOf(played).items.find((each) => each["id"] === id) ?? {};
/** Returns the last note with this name. */
export function noted(played: Played, name: string): Json | undefined {
  const keys = new Set(
    played.records.flatMap((each) => (each.type === "step.started" && each.verb === "note" ? [each.key] : [])),
  );
  const values = played.records.flatMap((each) =>
    // Notes are objects by their type.
    each.type === "step.finished" && keys.has(each.key) ? [each.value as Record<string, Json>] : [],
  );
  return values.findLast((value) => name in value)?.[name];
}
export const reportText = (played: Played, id: number | string = 1): string =>
  played.checkout.get(`.signalbox/iterations/roadmap/${id}.md`) ?? "";
/** Lists the iterations of the run's own report. */
export const iterations = ({ report }: Played): readonly Json[] =>
  // Every run that took an item has the list.
  (report as { readonly iterations: readonly Json[] }).iterations;

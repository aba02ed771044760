import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Failure } from "../../core/failure/failure.ts";
import type { Usage } from "../../core/journal/effect.ts";
import type { AgentEvent, DispatchOrder } from "../../core/ports/driver.ts";
import type { Processes } from "../../core/ports/processes.ts";
import type { World } from "../../core/ports/world.ts";
import { createSandbox, type SandboxPaths } from "../../engine/execute/sandbox.ts";
import { createAgentDriver, describeAgent, isInstalled } from "../agents/agents.ts";
import type { Assignment } from "../agents/assignments.ts";
import { createOwnName, listAbandoned } from "./abandoned-folders.ts";
import { suggestAfterFailure } from "./failure-advice.ts";

/** Outcome of one test question. `needed`: some role uses this agent. */
export type AgentAnswer = {
  readonly agent: string;
  readonly roles: readonly string[];
  readonly needed: boolean;
  readonly ms: number;
  readonly usage?: Usage;
} & (
  | { readonly outcome: "answered"; readonly says: string; readonly asAsked: boolean }
  | { readonly outcome: "failed"; readonly failure: Failure; readonly next: string }
);

export type AskContext = {
  /** Parent of all question folders. */
  readonly cache: string;
  readonly world: World;
  readonly processes: Processes;
  readonly sandboxPaths: SandboxPaths | undefined;
  /** Something other than the agent itself restricts its access to files outside its folder. */
  readonly contained: boolean;
  readonly signal: AbortSignal;
  /** Called once per answer, as answers arrive. */
  readonly heard: (answer: AgentAnswer) => void;
};

const ANSWER_TIMEOUT_MS = 60_000;
const LAST_CHARACTERS = 200;

/**
 * Sends one short prompt to each agent in parallel, as a dispatch would: through its driver, supervised and sandboxed.
 */
export async function askAgents(
  assignments: readonly Assignment[],
  asking: AskContext,
): Promise<readonly AgentAnswer[]> {
  const folder = join(asking.cache, "questions");
  await removeLeftQuestions(folder, asking.processes);
  try {
    return await Promise.all(
      assignments.map(async (assignment) => {
        const answer = await askAgent(assignment, folder, asking);
        asking.heard(answer);
        return answer;
      }),
    );
  } finally {
    await removeLeftQuestions(folder, asking.processes);
  }
}

async function askAgent(assignment: Assignment, folder: string, asking: AskContext): Promise<AgentAnswer> {
  const { choice, roles } = assignment;
  const { world } = asking;
  const startedAt = world.now();
  const word = `ready-${world.newId().slice(0, 6)}`;
  const last = await readLastEvent(assignment, { folder, word }, asking);
  const base = { agent: describeAgent(choice), roles, needed: roles.length > 0, ms: world.now() - startedAt };
  const usage = last && "usage" in last && last.usage ? { usage: last.usage } : {};
  if (last?.type !== "turn.finished" || last.text.trim() === "") {
    const failure = last?.type === "turn.failed" ? last.failure : EMPTY;
    const clean = { ...failure, message: world.redact(failure.message) };
    return { ...base, ...usage, outcome: "failed", failure: clean, next: suggestAfterFailure(choice, failure) };
  }
  const says = world.redact(last.text.trim()).slice(-LAST_CHARACTERS);
  return { ...base, ...usage, outcome: "answered", says, asAsked: last.text.includes(word) };
}

const EMPTY: Failure = { class: "transient", code: "agent_silent", message: "it ended without an answer" };

type AgentQuestion = { readonly folder: string; readonly word: string };

async function readLastEvent(
  { choice }: Assignment,
  question: AgentQuestion,
  asking: AskContext,
): Promise<AgentEvent | undefined> {
  const { program } = choice.driver;
  if (program !== undefined && !isInstalled(program)) return toMissingEvent(program);
  const id = createOwnName(asking.world);
  const order = await createOrder(id, question);
  const limits = { wallMs: ANSWER_TIMEOUT_MS, silenceMs: ANSWER_TIMEOUT_MS };
  const model = choice.model !== undefined ? { model: choice.model } : {};
  try {
    const driver = await createAgentDriver(choice, { limits, contained: asking.contained });
    const { processes, sandboxPaths, signal } = asking;
    const held = await createSandbox({ processes, sandboxPaths, dir: order.cwd, home: order.home, network: "all" });
    let last: AgentEvent | undefined;
    for await (const event of driver.dispatch({ ...order, ...model }, held, signal)) last = event;
    return last;
  } finally {
    await rm(join(question.folder, id), { recursive: true, force: true });
  }
}

function toMissingEvent(program: string): AgentEvent {
  const message = `${program} is not on the PATH`;
  return { type: "turn.failed", failure: { class: "deterministic", code: "agent_missing", message } };
}

async function createOrder(id: string, { folder, word }: AgentQuestion): Promise<DispatchOrder> {
  const at = (name: string) => join(folder, id, name);
  const places = { cwd: at("empty"), home: at("home"), spool: at("spool") };
  for (const place of Object.values(places)) await mkdir(place, { recursive: true, mode: 0o700 });
  const question = { run: "doctor", pipeline: "doctor", phase: "Ask", role: "asked", instance: "", task: "" };
  return {
    ...question,
    ...places,
    effect: toProcessTag(id),
    round: 1,
    attempt: 1,
    dialect: "json",
    nonce: word,
    prompt: `Answer with this one word and nothing else: ${word}\nUse no tools and change no files.\n`,
  };
}

const toProcessTag = (id: string): string => `doctor/${id}`;

/** Removes agents and folders of questions whose process is gone. */
async function removeLeftQuestions(folder: string, processes: Processes): Promise<void> {
  for (const id of await listAbandoned(folder)) {
    await processes.sweep(toProcessTag(id));
    await rm(join(folder, id), { recursive: true, force: true });
  }
  // Fails, and keeps the folder, while another process is asking.
  await rmdir(folder).catch(() => undefined);
}

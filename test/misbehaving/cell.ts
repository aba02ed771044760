import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AttemptResult } from "../../src/core/journal/effect.ts";
import type { Driver } from "../../src/core/ports/driver.ts";
import type { Sandbox } from "../../src/processes/sandbox/sandbox.ts";
import { watchClients } from "./client-memory.ts";
import { ACTORS } from "./columns.ts";
import { floodBytes, limitsOf } from "./limits.ts";
import type { ColumnName, Misbehavior, Texts } from "./misbehavior.ts";
import type { Scene } from "./scene.ts";
import { scriptedActor } from "./script.ts";
import { type Survivors, survivorsOf } from "./survivors.ts";
import { mailboxActor } from "./taker.ts";
import { SECRET, textsFor } from "./texts.ts";

export type Cell = {
  readonly column: ColumnName;
  readonly id: string;
  readonly walled: boolean;
  /** `done`, or class and code. */
  readonly verdict: string;
  readonly message: string;
  readonly ms: number;
  /** Peak memory of our own program between engine and agent; 0 if there is none. */
  readonly clientMegabytes: number;
  readonly survivors: number;
  /** Survivors with the cookie, which the engine must have found. */
  readonly carriers: number;
  /** True if it wrote into the spool of its own attempt. */
  readonly reached: boolean;
  readonly leaked: boolean;
  readonly wakes: boolean;
};

export type CellOrder = {
  readonly scene: Scene;
  readonly column: ColumnName;
  readonly misbehavior: Misbehavior;
  readonly sandbox?: Sandbox;
};

/** One dispatch, from the opened tree to the result that a run would record. */
export async function playCell(order: CellOrder): Promise<Cell> {
  const { scene, column, misbehavior, sandbox } = order;
  const { id, role = "reader" } = misbehavior;
  const nonce = `nonce-${id}`;
  const marker = createMarker(order);
  const effect = scene.attempt({ key: `${column}-${id}-${sandbox ? "walled" : "open"}`, role, nonce });
  const driver = createDriver(order, { ...textsFor(nonce), mostBytes: floodBytes(column) }, marker);
  const { perform } = scene.performer(driver, sandbox);
  // The search for clients is expensive, and only a flood can fill one.
  const clients = misbehavior.limit === "output" ? watchClients(effect.id) : undefined;
  const from = performance.now();
  const result = await perform(effect, new AbortController().signal);
  const ms = Math.round(performance.now() - from);
  const clientMegabytes = clients?.stop() ?? 0;
  const left = survivorsOf(effect.id, marker);
  end(left);
  return {
    column,
    id,
    walled: sandbox !== undefined,
    ...summarizeResult(result),
    ms,
    clientMegabytes,
    survivors: left.marked.length,
    carriers: left.carriers.length,
    reached: existsSync(join(scene.spoolOf(effect), "touched")),
    leaked: JSON.stringify(result).includes(SECRET),
  };
}

function createDriver({ scene, column, misbehavior }: CellOrder, texts: Texts, marker: string): Driver {
  const { early = [], steps = () => [], limit } = misbehavior;
  const limits = limitsOf(limit, column);
  const all = [...early, ...steps(texts)];
  if (column === "scripted") return scriptedActor({ steps: all, marker, limits });
  if (column === "mailbox") {
    return mailboxActor({ dir: join(scene.dir, "mail", marker), steps: all, wallMs: limits.silenceMs ?? 0 });
  }
  const { framing, driver } = ACTORS[column];
  const play = { framing, early, steps: steps(texts), good: texts.good, marker };
  return driver({ limits, environment: { set: { PATH: scene.path, MISBEHAVE: JSON.stringify(play) } } });
}

/** A unique sleep time: the only free word of the command line. */
function createMarker({ scene, column, misbehavior, sandbox }: CellOrder): string {
  const text = `${scene.dir} ${column} ${misbehavior.id} ${sandbox?.name}`;
  const number = [...text].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 2_147_483_647, 7);
  return `300.${String(number).padStart(10, "0")}`;
}

function summarizeResult(result: AttemptResult): Pick<Cell, "verdict" | "message" | "wakes"> {
  if (result.outcome !== "failed") return { verdict: result.outcome, message: "", wakes: false };
  const { failure } = result;
  return {
    verdict: `${failure.class} ${failure.code}`,
    message: failure.message,
    wakes: failure.wakeAt !== undefined,
  };
}

/** Processes that were not found must not outlive the test. */
function end({ carriers, marked }: Survivors): void {
  for (const pid of new Set([...carriers, ...marked])) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has exited meanwhile.
    }
  }
}

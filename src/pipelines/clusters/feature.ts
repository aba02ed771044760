import type { Outcome } from "../../core/failure.ts";
import type { Finding } from "../../core/finding.ts";
import type { Tree } from "../../core/tree.ts";
import type { Verbs } from "../../core/verbs.ts";
import { integrate } from "../integrate.ts";
import type { Status } from "./contracts.ts";
import { EMPTY, handedOver, type Memory, memoryText } from "./memory.ts";
import type { Doer, Judge } from "./roles.ts";
import type { Member } from "./rules.ts";
import { findingsIn } from "./task-files.ts";

export type Send = {
  readonly role: Doer | Judge;
  readonly step: string;
  readonly reads: readonly string[];
  readonly output: string;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly as?: string;
  /** Further files that belong to the output. */
  readonly also?: readonly string[];
};

type Written = { readonly status: Status; readonly after: Tree; readonly text: string };

/** The feature under construction: its folder, its tree, its memory, and how agents are sent to it. */
export function featureOf(verbs: Verbs<unknown>, start: { folder: string; tree: Tree }) {
  const { attempt, agent, parallel, see, write, note } = verbs;
  const { folder } = start;
  let tree = start.tree;
  let memory = EMPTY;

  const at = (path: string): string => `${folder}/${path}`;
  const order = ({ role, reads, output, more, as, also = [] }: Send) => {
    const outputs = [output, ...also].map(at);
    const inputs = ["initial-request.md", "memory.md", ...reads].map(at);
    const options = { in: tree, writes: outputs, ...(as && { as }) };
    return { role, input: { inputs, outputs, ...more }, options };
  };

  const remember = async (next: Memory): Promise<void> => {
    memory = next;
    await write(at("memory.md"), memoryText(memory));
  };

  /** One sequential agent: what it hands over goes into the memory, and its failure ends the run. */
  const solo = async (send: Send): Promise<{ status: Status; text: string }> => {
    const { role, input, options } = order(send);
    const answer = await agent(role, input, options);
    tree = answer.after;
    const file = await see("file", { path: at(send.output), in: tree });
    if (!file?.text.trim()) {
      return verbs.end({ status: "error", reason: `${role.name} is DONE, but ${at(send.output)} is missing` });
    }
    const next = handedOver(memory, { by: role.name, step: send.step, path: at(send.output), text: file.text });
    if (next.decisions.length === memory.decisions.length) await note({ warning: `${role.name} left no memory entry` });
    await remember(next);
    return { status: answer.line, text: file.text };
  };

  const one = async (send: Send): Promise<Written | undefined> => {
    const { role, input, options } = order(send);
    const answer: Outcome<{ line: Status; after: Tree }> = await attempt(role, input, options);
    if (!answer.ok) return undefined;
    const { line: status, after } = answer.value;
    const file = await see("file", { path: at(send.output), in: after });
    return file?.text.trim() ? { status, after, text: file.text } : undefined;
  };

  /** Agents side by side: each writes its own file, and none of them writes the memory. */
  const cluster = async (sends: readonly Send[]): Promise<readonly Member[]> => {
    const name = ({ role, as }: Send) => as ?? role.name;
    const got = await parallel(sends, one, { key: name });
    const works = sends.flatMap((send, index) => {
      const written = got[index];
      return written ? [{ id: name(send), after: written.after }] : [];
    });
    tree = (await integrate(verbs, tree, works)).tree;
    return sends.map((send, index): Member => {
      const written = got[index];
      const findings: readonly Finding[] = written ? findingsIn(written.text, name(send)) : [];
      return { name: name(send), status: written?.status ?? "missing", findings };
    });
  };

  return {
    at,
    solo,
    one,
    cluster,
    remember,
    get tree() {
      return tree;
    },
    get memory() {
      return memory;
    },
    adopt: (next: Tree) => {
      tree = next;
    },
  };
}

export type Feature = ReturnType<typeof featureOf>;

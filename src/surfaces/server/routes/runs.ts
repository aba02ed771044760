import { z } from "zod";
import { route } from "../route.ts";
import { Document, Key, ObjectId, ofRun, Path, Seq } from "./names.ts";

const MOST_EVENTS = 1_000;

/** Everything that can be looked at in one run. */
export const runs = [
  route({
    method: "GET",
    path: "/api/runs/:run",
    says: "A run as a page: its head and all rows.",
    takes: ofRun,
    gives: Document,
    handle: ({ run }, { desk }) => desk.port.runs.page(run),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/changes",
    says: "The head, and the rows that have changed after a record.",
    takes: ofRun.extend({ after: Seq.default(0) }),
    gives: Document,
    handle: ({ run, after }, { desk }) => desk.port.runs.changes(run, after),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/events",
    says: "Its records, as `signalbox events --json` has them.",
    takes: ofRun.extend({ after: Seq.default(0), most: Seq.min(1).max(MOST_EVENTS).default(MOST_EVENTS) }),
    gives: z.object({ records: z.array(Document), last: z.number() }),
    handle: ({ run, ...from }, { desk }) => desk.port.runs.events(run, from),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/transcript",
    says: "What one attempt printed, as a person reads it, from an offset on.",
    takes: ofRun.extend({ effect: Key, after: Seq.default(0) }),
    gives: z.object({ entries: z.array(Document), next: z.number(), complete: z.boolean() }),
    handle: ({ run, ...at }, { desk }) => desk.port.runs.transcript(run, at),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/prompt",
    says: "What one attempt was sent.",
    takes: ofRun.extend({ effect: Key }),
    gives: z.object({ text: z.string() }),
    handle: ({ run, effect }, { desk }) => desk.port.runs.prompt(run, effect),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/contract",
    says: "What an attempt answered, as text and as it was read.",
    takes: ofRun.extend({ key: Key, attempt: Seq }),
    gives: z.object({ raw: z.string().nullable(), contract: z.unknown() }),
    handle: ({ run, ...of }, { desk }) => desk.port.runs.contract(run, of),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/output",
    says: "What the check of one record printed.",
    takes: ofRun.extend({ seq: Seq }),
    gives: z.object({ text: z.string(), truncated: z.boolean() }),
    handle: ({ run, seq }, { desk }) => desk.port.runs.output(run, seq),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/diff",
    says: "What it changed: from where it began to its newest work, or between two trees.",
    takes: ofRun.extend({ from: ObjectId.optional(), to: ObjectId.optional(), path: Path.optional() }),
    gives: z.object({ from: z.string(), to: z.string(), files: z.array(Document) }),
    handle: ({ run, ...asked }, { desk }) => desk.port.runs.diff(run, asked),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/gates",
    says: "A gate's rules with their text, what they asked with and the rows they looked at.",
    takes: ofRun.extend({ key: Key }),
    gives: z.object({ gate: z.string(), rules: z.array(Document) }),
    handle: ({ run, key }, { desk }) => desk.port.runs.gate(run, key),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/cost",
    says: "What it cost, by role, phase, agent and model, and who did not say.",
    takes: ofRun,
    gives: Document,
    handle: ({ run }, { desk }) => desk.port.runs.cost(run),
  }),
];

import { z } from "zod";
import { route } from "../route.ts";
import { Document, Key, ObjectId, Path, RunParams, Seq } from "./parameters.ts";

const MOST_EVENTS = 1_000;

/** Routes that read one run. */
export const runs = [
  route({
    method: "GET",
    path: "/api/runs/:run",
    summary: "Returns the page of a run: its head and all rows.",
    input: RunParams,
    output: Document,
    handle: ({ run }, { context }) => context.port.runs.page(run),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/changes",
    summary: "Returns the head, and the rows that changed after a record.",
    input: RunParams.extend({ after: Seq.default(0) }),
    output: Document,
    handle: ({ run, after }, { context }) => context.port.runs.changes(run, after),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/events",
    summary: "Lists journal records, as `signalbox events --json` does.",
    input: RunParams.extend({ after: Seq.default(0), most: Seq.min(1).max(MOST_EVENTS).default(MOST_EVENTS) }),
    output: z.object({ records: z.array(Document), last: z.number() }),
    handle: ({ run, ...from }, { context }) => context.port.runs.events(run, from),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/transcript",
    summary: "Returns the readable transcript of one attempt, from an offset.",
    input: RunParams.extend({ effect: Key, after: Seq.default(0) }),
    output: z.object({ entries: z.array(Document), next: z.number(), complete: z.boolean() }),
    handle: ({ run, ...at }, { context }) => context.port.runs.transcript(run, at),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/prompt",
    summary: "Returns the prompt of one attempt.",
    input: RunParams.extend({ effect: Key }),
    output: z.object({ text: z.string() }),
    handle: ({ run, effect }, { context }) => context.port.runs.prompt(run, effect),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/contract",
    summary: "Returns the answer of an attempt, as text and parsed.",
    input: RunParams.extend({ key: Key, attempt: Seq }),
    output: z.object({ raw: z.string().nullable(), contract: z.unknown() }),
    handle: ({ run, ...of }, { context }) => context.port.runs.contract(run, of),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/output",
    summary: "Returns the output of the check of one record.",
    input: RunParams.extend({ seq: Seq }),
    output: z.object({ text: z.string(), truncated: z.boolean() }),
    handle: ({ run, seq }, { context }) => context.port.runs.output(run, seq),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/diff",
    summary: "Returns the changes of a run, from its base to its newest tree, or between two trees.",
    input: RunParams.extend({ from: ObjectId.optional(), to: ObjectId.optional(), path: Path.optional() }),
    output: z.object({ from: z.string(), to: z.string(), files: z.array(Document) }),
    handle: ({ run, ...asked }, { context }) => context.port.runs.diff(run, asked),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/gates",
    summary: "Returns the rules of a gate with their text, parameters and the rows they read.",
    input: RunParams.extend({ key: Key }),
    output: z.object({ gate: z.string(), rules: z.array(Document) }),
    handle: ({ run, key }, { context }) => context.port.runs.gate(run, key),
  }),
  route({
    method: "GET",
    path: "/api/runs/:run/cost",
    summary: "Returns the cost by role, phase, agent and model, and the dispatches without a reported cost.",
    input: RunParams,
    output: Document,
    handle: ({ run }, { context }) => context.port.runs.cost(run),
  }),
];

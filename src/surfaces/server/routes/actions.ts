import { z } from "zod";
import { Json } from "../../../core/text/json.ts";
import { route } from "../route.ts";
import { Document, Id, Key, RunParams, Text } from "./parameters.ts";

const Agents = z.array(z.string().regex(/^[\w.*-]{1,100}=[\w.:/-]{1,200}$/)).max(50);
const Usd = z.coerce.number().positive().max(1_000_000);

/** Routes that control runs. They behave like the commands, including their refusals. */
export const actions = [
  route({
    method: "POST",
    path: "/api/runs",
    summary: "Starts a run, as `signalbox run --detach` does.",
    input: z.strictObject({
      repository: Id,
      pipeline: z.string().regex(/^[\w.-]{1,100}$/),
      request: Text.optional(),
      input: z.record(z.string(), Json).optional(),
      approvals: z.enum(["interactive", "autonomous"]).optional(),
      budget: Usd.optional(),
      agents: Agents.optional(),
    }),
    output: z.object({ run: z.string() }),
    handle: (order, { context }) => context.port.control.start(order),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/resume",
    summary: "Resumes a run, as `signalbox resume --detach` does.",
    input: RunParams.extend({
      budget: Usd.optional(),
      maxTime: z
        .string()
        .regex(/^\d{1,6}(?:\.\d{1,3})?(?:ms|s|m|h)?$/)
        .optional(),
    }),
    output: Document,
    handle: ({ run, ...limits }, { context }) => context.port.control.resume(run, limits),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/cancel",
    summary: "Cancels a run permanently.",
    input: RunParams.extend({ note: Text.optional() }),
    output: Document,
    handle: ({ run, note }, { context }) => context.port.control.cancel(run, note),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/pause",
    summary: "Pauses a run until it is resumed.",
    input: RunParams.extend({ note: Text.optional() }),
    output: Document,
    handle: ({ run, note }, { context }) => context.port.control.pause(run, note),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/stop",
    summary: "Stops one agent's attempt.",
    input: RunParams.extend({ effect: Key, note: Text.optional() }),
    output: Document,
    handle: ({ run, ...asked }, { context }) => context.port.control.stop(run, asked),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/revert",
    summary: "Reverts the work of a run on the current branch.",
    input: RunParams,
    output: Document,
    handle: ({ run }, { context }) => context.port.control.revert(run),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/land",
    summary: "Lands the work of a run on the current branch.",
    input: RunParams,
    output: Document,
    handle: ({ run }, { context }) => context.port.control.land(run),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/fork",
    summary: "Starts a new run that reuses what this one recorded before a phase.",
    input: RunParams.extend({
      phase: z.string().min(1).max(500),
      request: Text.optional(),
      agents: Agents.optional(),
    }),
    output: z.object({ run: z.string() }),
    handle: ({ run, ...asked }, { context }) => context.port.control.fork(run, asked),
  }),
];

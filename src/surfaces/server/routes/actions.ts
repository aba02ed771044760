import { z } from "zod";
import { Json } from "../../../core/text/json.ts";
import { route } from "../route.ts";
import { Document, Id, Key, ofRun, Text } from "./names.ts";

const Agents = z.array(z.string().regex(/^[\w.*-]{1,100}=[\w.:/-]{1,200}$/)).max(50);
const Usd = z.coerce.number().positive().max(1_000_000);

/** What a person does to runs: the way of the commands, with their refusals. */
export const actions = [
  route({
    method: "POST",
    path: "/api/runs",
    says: "Starts a run, as `signalbox run --detach` does.",
    takes: z.strictObject({
      repository: Id,
      pipeline: z.string().regex(/^[\w.-]{1,100}$/),
      request: Text.optional(),
      input: z.record(z.string(), Json).optional(),
      approvals: z.enum(["interactive", "autonomous"]).optional(),
      budget: Usd.optional(),
      agents: Agents.optional(),
    }),
    gives: z.object({ run: z.string() }),
    handle: (order, { desk }) => desk.port.control.start(order),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/resume",
    says: "Goes on where it stopped, as `signalbox resume --detach` does.",
    takes: ofRun.extend({
      budget: Usd.optional(),
      maxTime: z
        .string()
        .regex(/^\d{1,6}(?:\.\d{1,3})?(?:ms|s|m|h)?$/)
        .optional(),
    }),
    gives: Document,
    handle: ({ run, ...limits }, { desk }) => desk.port.control.resume(run, limits),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/cancel",
    says: "Ends it for good.",
    takes: ofRun.extend({ note: Text.optional() }),
    gives: Document,
    handle: ({ run, note }, { desk }) => desk.port.control.cancel(run, note),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/pause",
    says: "Lets it rest until somebody resumes it.",
    takes: ofRun.extend({ note: Text.optional() }),
    gives: Document,
    handle: ({ run, note }, { desk }) => desk.port.control.pause(run, note),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/stop",
    says: "Ends one agent's attempt.",
    takes: ofRun.extend({ effect: Key, note: Text.optional() }),
    gives: Document,
    handle: ({ run, ...asked }, { desk }) => desk.port.control.stop(run, asked),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/revert",
    says: "Takes its work back from the branch that is checked out.",
    takes: ofRun,
    gives: Document,
    handle: ({ run }, { desk }) => desk.port.control.revert(run),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/land",
    says: "Takes its work onto the branch that is checked out.",
    takes: ofRun,
    gives: Document,
    handle: ({ run }, { desk }) => desk.port.control.land(run),
  }),
  route({
    method: "POST",
    path: "/api/runs/:run/fork",
    says: "A new run that takes over what this one recorded before a phase.",
    takes: ofRun.extend({
      phase: z.string().min(1).max(500),
      request: Text.optional(),
      agents: Agents.optional(),
    }),
    gives: z.object({ run: z.string() }),
    handle: ({ run, ...asked }, { desk }) => desk.port.control.fork(run, asked),
  }),
];

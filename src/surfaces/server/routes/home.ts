import { z } from "zod";
import { route } from "../route.ts";
import { openChangeStream } from "../stream.ts";
import { Document, Id } from "./parameters.ts";

const Followed = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}:\d{1,15}$/);
/** Maximum number of runs in one stream. */
const MOST_RUNS = 50;

export const home = [
  route({
    method: "GET",
    path: "/api/home",
    summary: "Lists open questions, running and recent runs in all repositories of this user.",
    input: z.strictObject({}),
    output: Document,
    handle: (_, { context }) => context.port.home(),
  }),
  route({
    method: "GET",
    path: "/api/stream",
    summary: "Streams changes after the given records, one JSON document per line.",
    input: z.strictObject({
      run: z.union([Followed.transform((one) => [one]), z.array(Followed).max(MOST_RUNS)]).default([]),
      home: z.literal("1").optional(),
    }),
    output: z.string(),
    async handle({ run, home: wanted }, { context, signal }) {
      const runs = new Map(run.map((each) => [each.slice(0, each.indexOf(":")), Number(each.split(":")[1])]));
      const left = new AbortController();
      signal.addEventListener("abort", () => left.abort());
      context.reserveStream(left.signal);
      const lines = openChangeStream(context.port, { runs, home: wanted === "1" }, left);
      return new Response(lines, { headers: { "content-type": "application/x-ndjson; charset=utf-8" } });
    },
  }),
  route({
    method: "GET",
    path: "/api/pipelines",
    summary: "Lists the pipelines of a repository.",
    input: z.strictObject({ repository: Id }),
    output: Document,
    handle: ({ repository }, { context }) => context.port.pipelines(repository),
  }),
  route({
    method: "POST",
    path: "/api/sql",
    summary: "Runs one SELECT on the ledger of a repository, read-only, for at most two seconds.",
    input: z.strictObject({ repository: Id, query: z.string().min(1).max(20_000) }),
    output: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.unknown())), truncated: z.boolean() }),
    handle: ({ repository, query }, { context }) => context.port.sql(repository, query),
  }),
  route({
    method: "GET",
    path: "/api/openapi.json",
    summary: "Returns this document.",
    input: z.strictObject({}),
    output: Document,
    handle: async (_, { context }) => context.describe(),
  }),
];

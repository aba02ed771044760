import { z } from "zod";
import { route } from "../route.ts";
import { streamOf } from "../stream.ts";
import { Document, Id } from "./names.ts";

const Followed = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}:\d{1,15}$/);
/** More than anybody has open. */
const MOST_RUNS = 50;

export const home = [
  route({
    method: "GET",
    path: "/api/home",
    says: "What needs a person, what runs, what ran lately, in all repositories of this user.",
    takes: z.strictObject({}),
    gives: Document,
    handle: (_, { desk }) => desk.port.home(),
  }),
  route({
    method: "GET",
    path: "/api/stream",
    says: "Changes as they come, one JSON document on each line, from the given records on.",
    takes: z.strictObject({
      run: z.union([Followed.transform((one) => [one]), z.array(Followed).max(MOST_RUNS)]).default([]),
      home: z.literal("1").optional(),
    }),
    gives: z.string(),
    async handle({ run, home: wanted }, { desk, signal }) {
      const runs = new Map(run.map((each) => [each.slice(0, each.indexOf(":")), Number(each.split(":")[1])]));
      const left = new AbortController();
      signal.addEventListener("abort", () => left.abort());
      desk.follow(left.signal);
      const lines = streamOf(desk.port, { runs, home: wanted === "1" }, left);
      return new Response(lines, { headers: { "content-type": "application/x-ndjson; charset=utf-8" } });
    },
  }),
  route({
    method: "GET",
    path: "/api/pipelines",
    says: "What can be started in a repository.",
    takes: z.strictObject({ repository: Id }),
    gives: Document,
    handle: ({ repository }, { desk }) => desk.port.pipelines(repository),
  }),
  route({
    method: "POST",
    path: "/api/sql",
    says: "One SELECT over the ledger of a repository, read only, two seconds.",
    takes: z.strictObject({ repository: Id, query: z.string().min(1).max(20_000) }),
    gives: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.unknown())), truncated: z.boolean() }),
    handle: ({ repository, query }, { desk }) => desk.port.sql(repository, query),
  }),
  route({
    method: "GET",
    path: "/api/openapi.json",
    says: "This table.",
    takes: z.strictObject({}),
    gives: Document,
    handle: async (_, { desk }) => desk.describe(),
  }),
];

import { z } from "zod";
import type { Route } from "./route.ts";

/** Describes the route table as an OpenAPI document. */
export function describeApi(routes: readonly Route[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Signalbox", version },
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }],
    paths,
  };
}

function describeRoute({ method, path, summary, input, output, open }: Route) {
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? ""));
  const fields = Object.entries(input.shape).map(([name, schema]) => ({
    name,
    schema: toJsonSchema(schema),
    type: schema,
  }));
  const parameters = fields
    .filter(({ name }) => inPath.has(name) || method === "GET")
    .map(({ name, schema, type }) =>
      inPath.has(name)
        ? { name, in: "path", required: true, schema }
        : { name, in: "query", required: !isOptional(type), schema },
    );
  const sent = z.strictObject(Object.fromEntries(Object.entries(input.shape).filter(([name]) => !inPath.has(name))));
  const type = path === "/api/stream" ? "application/x-ndjson" : "application/json";
  return {
    summary,
    ...(open ? { security: [] } : {}),
    parameters: [...parameters, ...(method === "POST" ? [IDEMPOTENCY] : [])],
    ...(method === "POST" ? { requestBody: { content: { "application/json": { schema: toJsonSchema(sent) } } } } : {}),
    responses: { 200: { description: "Success.", content: { [type]: { schema: toJsonSchema(output) } } } },
  };
}

const IDEMPOTENCY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", maxLength: 200 },
};

function isOptional(type: unknown): boolean {
  return type instanceof z.ZodOptional || type instanceof z.ZodDefault;
}

function toJsonSchema(schema: z.core.$ZodType) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}

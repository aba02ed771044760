import type { Context, Hono } from "hono";
import { formatJsonLine } from "../../core/text/json-line.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { readMarks, showMarks } from "../../core/text/visible-marks.ts";
import { readBody } from "./body.ts";
import { requireJson } from "./guard.ts";
import { createIdempotencyCache } from "./idempotency-cache.ts";
import type { ServerPort } from "./port/port.ts";
import { Refusal } from "./refusal.ts";
import type { Route, RouteContext } from "./route.ts";

/** Registers all routes of the table. */
export function registerRoutes(app: Hono, context: RouteContext, routes: readonly Route[]): void {
  const once = createIdempotencyCache();
  for (const [path, sharing] of Map.groupBy(routes, (route) => route.path)) {
    app.all(path, async (c) => {
      const route = sharing.find(({ method }) => method === c.req.method);
      if (!route) throw createMethodRefusal();
      const given = await readInput(route, c);
      const carryOut = () => route.handle(given, { context, signal: c.req.raw.signal });
      const answer = await (route.method === "GET" || route.secret
        ? carryOut()
        : once(getIdempotencyKey(c), { path: c.req.path, given }, carryOut));
      return answer instanceof Response ? answer : respondJson(context.port, answer);
    });
  }
}

/**
 * Serializes a document for the browser. As the last step before sending it removes remaining secrets and names
 * misleading Unicode characters.
 */
export function serializeForBrowser({ redact }: Pick<ServerPort, "redact">, document: unknown): string {
  return formatJsonLine(redactDeep(document, (text) => showMarks(redact(text))));
}

export function respondJson(port: ServerPort, document: unknown, status = 200): Response {
  return new Response(serializeForBrowser(port, document), {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}

async function readInput(route: Route, { req }: Context): Promise<unknown> {
  if (route.method === "POST") {
    requireJson({ headers: req.raw.headers });
    return redactDeep({ ...(await readBody(req.raw)), ...req.param() }, readMarks);
  }
  const asked = Object.entries(req.queries()).map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
  return redactDeep({ ...Object.fromEntries(asked), ...req.param() }, readMarks);
}

const KEY = /^[\x21-\x7e]{1,200}$/;

function getIdempotencyKey({ req }: Context): string | undefined {
  const key = req.header("idempotency-key");
  if (key === undefined || KEY.test(key)) return key;
  throw new Refusal(
    "REQUEST_INVALID",
    "The Idempotency-Key is invalid.",
    "Send at most 200 printable ASCII characters without spaces.",
  );
}

export function createMethodRefusal(): Refusal {
  return new Refusal("METHOD_WRONG", "This route does not support that method.", "See GET /api/openapi.json.");
}

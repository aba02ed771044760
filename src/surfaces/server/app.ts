import { Hono } from "hono";
import { toErrorResponse } from "./error-response.ts";
import { createFailureLimit } from "./failure-limit.ts";
import { type Address, refuseGuessing, requireHost, requireOrigin, requireToken } from "./guard.ts";
import { describeApi } from "./openapi.ts";
import type { ServerPort } from "./port/port.ts";
import { Refusal } from "./refusal.ts";
import { createMethodRefusal, registerRoutes, respondJson } from "./register-routes.ts";
import type { RouteContext } from "./route.ts";
import { ROUTES } from "./routes/table.ts";
import { setSecurityHeaders } from "./security-headers.ts";
import type { Session } from "./session.ts";
import { serveStaticFile } from "./static-files.ts";
import { createStreamSlots } from "./stream-slots.ts";

export type ServerAppOptions = {
  readonly port: ServerPort;
  readonly session: Session;
  readonly address: Address;
  /** The folder of the built dashboard. */
  readonly web: string;
};

/**
 * Creates the HTTP app. Every request passes the same checks in the same order: Host, Origin, token, method, content
 * type.
 */
export function createApp({ port, session, address, web }: ServerAppOptions): Hono {
  const app = new Hono();
  const failures = createFailureLimit(port.now);
  const open = new Set(ROUTES.filter((route) => route.open).map(({ path }): string => path));
  const context: RouteContext = {
    port,
    session,
    countWrongCode: () => refuseGuessing(failures),
    reserveStream: createStreamSlots(),
    describe: () => describeApi(ROUTES, port.version),
  };
  app.use(async (c, next) => {
    await next();
    setSecurityHeaders(c.res.headers);
  });
  app.use(async ({ req }, next) => {
    const isApi = req.path === "/api" || req.path.startsWith("/api/");
    const asked = { url: req.url, method: req.method, headers: req.raw.headers };
    requireHost(asked, address);
    requireOrigin(asked, address, isApi);
    if (isApi && !open.has(req.path)) requireToken(asked, { session, failures });
    await next();
  });
  registerRoutes(app, context, ROUTES);
  app.all("/api/*", () => {
    throw new Refusal("ROUTE_UNKNOWN", "This route does not exist.", "See GET /api/openapi.json.");
  });
  app.all("*", async ({ req }) => {
    if (req.method !== "GET" && req.method !== "HEAD") throw createMethodRefusal();
    const file = await serveStaticFile(web, req.path);
    if (file) return file;
    throw new Refusal("ROUTE_UNKNOWN", "This file does not exist.", "The dashboard is at /.");
  });
  app.onError((error) => {
    const { status, body } = toErrorResponse(error);
    if (status >= 500) port.failed(error);
    return respondJson(port, body, status);
  });
  return app;
}

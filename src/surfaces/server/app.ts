import { Hono } from "hono";
import { errorAnswer } from "./error-answer.ts";
import { createFailures } from "./failures.ts";
import { type Address, refuseGuessing, requireHost, requireOrigin, requireToken } from "./guard.ts";
import { protect } from "./headers.ts";
import { openapi } from "./openapi.ts";
import { createPlaces } from "./places.ts";
import type { ServerPort } from "./port/port.ts";
import { Refusal } from "./refusal.ts";
import { answerWith, register, wrongMethod } from "./register.ts";
import type { Desk } from "./route.ts";
import { ROUTES } from "./routes/table.ts";
import type { Session } from "./session.ts";
import { staticFile } from "./static-files.ts";

export type AppParts = {
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
export function createApp({ port, session, address, web }: AppParts): Hono {
  const app = new Hono();
  const failures = createFailures(port.now);
  const open = new Set(ROUTES.filter((route) => route.open).map(({ path }): string => path));
  const context: Desk = {
    port,
    session,
    countWrongCode: () => refuseGuessing(failures),
    reserveStream: createPlaces(),
    describe: () => openapi(ROUTES, port.version),
  };
  app.use(async (c, next) => {
    await next();
    protect(c.res.headers);
  });
  app.use(async ({ req }, next) => {
    const isApi = req.path === "/api" || req.path.startsWith("/api/");
    const asked = { url: req.url, method: req.method, headers: req.raw.headers };
    requireHost(asked, address);
    requireOrigin(asked, address, isApi);
    if (isApi && !open.has(req.path)) requireToken(asked, { session, failures });
    await next();
  });
  register(app, context, ROUTES);
  app.all("/api/*", () => {
    throw new Refusal("ROUTE_UNKNOWN", "This route does not exist.", "See GET /api/openapi.json.");
  });
  app.all("*", async ({ req }) => {
    if (req.method !== "GET" && req.method !== "HEAD") throw wrongMethod();
    const file = await staticFile(web, req.path);
    if (file) return file;
    throw new Refusal("ROUTE_UNKNOWN", "This file does not exist.", "The dashboard is at /.");
  });
  app.onError((error) => {
    const { status, body } = errorAnswer(error);
    if (status >= 500) port.failed(error);
    return answerWith(port, body, status);
  });
  return app;
}

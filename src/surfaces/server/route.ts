import type { z } from "zod";
import type { ServerPort } from "./port/port.ts";
import type { Session } from "./session.ts";

/** Dependencies of the route handlers. */
export type RouteContext = {
  readonly port: ServerPort;
  readonly session: Session;
  /** Counts a wrong code and throws if there were too many. */
  countWrongCode(): void;
  /** Reserves a stream slot until the signal fires. Throws if none is free. */
  reserveStream(until: AbortSignal): void;
  /** Returns the OpenAPI document of all routes. */
  describe(): unknown;
};

export type RouteCall = { readonly context: RouteContext; readonly signal: AbortSignal };

/** One entry of the table from which the API is registered, protected, described and tested. */
export type Route = {
  readonly method: "GET" | "POST";
  /** Path with `:names` for its variable parts. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  /** Accepted fields by name: from the path, and from the query or the body. */
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** Needs no token, because it issues the token. */
  readonly open: boolean;
  /** Returns a new secret on each call, so its answers are not stored for repeated requests. */
  readonly secret: boolean;
  /** Returns a JSON document or a complete response. */
  handle(given: unknown, call: RouteCall): Promise<unknown>;
};

type RouteDefinition<Shape extends z.ZodObject> = Omit<Route, "input" | "open" | "secret" | "handle"> & {
  readonly input: Shape;
  readonly open?: boolean;
  readonly secret?: boolean;
  handle(asked: z.output<Shape>, call: RouteCall): Promise<unknown>;
};

/** Creates a route that validates its input with the route's schema before the handler runs. */
export function route<Shape extends z.ZodObject>({
  handle,
  open = false,
  secret = false,
  ...rest
}: RouteDefinition<Shape>): Route {
  return { ...rest, open, secret, handle: (given, call) => handle(rest.input.parse(given), call) };
}

import type { z } from "zod";
import type { ServerPort } from "./port/port.ts";
import type { Session } from "./session.ts";

/** What a route works with. */
export type Desk = {
  readonly port: ServerPort;
  readonly session: Session;
  /** Counts a wrong guess of a code, and throws at too many. */
  guessed(): void;
  /** Takes a place among those who follow, until the signal fires; throws where there is none left. */
  follow(until: AbortSignal): void;
  /** The document about all routes. */
  describe(): unknown;
};

export type Call = { readonly desk: Desk; readonly signal: AbortSignal };

/** One entry of the table that registers, protects, describes and tests the api. */
export type Route = {
  readonly method: "GET" | "POST";
  /** With `:names` for its variable parts. */
  readonly path: `/api/${string}`;
  readonly says: string;
  /** Everything that it takes by name: from the path, and from the query or the body. */
  readonly takes: z.ZodObject;
  readonly gives: z.ZodType;
  /** Needs no token: it is where the token comes from. */
  readonly open: boolean;
  /** It gives what opens the door, each time anew: its answers are not remembered for whoever asks again. */
  readonly secret: boolean;
  /** A document, or an answer of its own making. */
  handle(given: unknown, call: Call): Promise<unknown>;
};

type RouteOf<Shape extends z.ZodObject> = Omit<Route, "takes" | "open" | "secret" | "handle"> & {
  readonly takes: Shape;
  readonly open?: boolean;
  readonly secret?: boolean;
  handle(asked: z.output<Shape>, call: Call): Promise<unknown>;
};

/** Reads what was sent by the route's own schema before anything of it is used. */
export function route<Shape extends z.ZodObject>({
  handle,
  open = false,
  secret = false,
  ...rest
}: RouteOf<Shape>): Route {
  return { ...rest, open, secret, handle: (given, call) => handle(rest.takes.parse(given), call) };
}

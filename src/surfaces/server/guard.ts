import type { Failures } from "./failures.ts";
import { Refusal } from "./refusal.ts";
import type { Session } from "./session.ts";

/** Where the server is reached. Compared with this list and never with what the request itself says. */
export type Address = { readonly hosts: readonly string[]; readonly origins: readonly string[] };

export function addressOf(port: number): Address {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  return { hosts, origins: hosts.map((host) => `http://${host}`) };
}

type Asked = { readonly url: string; readonly method: string; readonly headers: Headers };

/** A name that leads here is not yet ours: a page of another site can have its own name lead to this machine. */
export function requireHost({ url, headers }: Asked, { hosts }: Address): void {
  const said = headers.get("host") ?? "";
  // A request may also name a host in its first line.
  if (hosts.includes(said) && hosts.includes(new URL(url).host)) return;
  throw new Refusal(
    "WRONG_HOST",
    "This server does not answer under that name.",
    `Use the link that \`signalbox ui\` gives: http://${hosts[0]}/.`,
  );
}

/** Pages of other sites, and of other ports of this machine, may not ask; `null` is a page that hides where it is from. */
export function requireOrigin({ method, headers }: Asked, { origins }: Address, isApi: boolean): void {
  const origin = headers.get("origin");
  if (origin !== null && !origins.includes(origin)) throw foreign();
  const site = headers.get("sec-fetch-site");
  const own = site === null || site === "same-origin" || site === "none";
  // The page itself may be opened from a link anywhere; it holds no data.
  if (isApi && !own) throw foreign();
  // A browser says where a request with an effect comes from; programs say neither.
  if (isApi && !READS.has(method) && site === "none" && origin === null) throw foreign();
  if (headers.get("upgrade") !== null) {
    throw new Refusal("NO_UPGRADE", "This server speaks HTTP and nothing else.", "Read GET /api/stream with fetch.");
  }
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

function foreign(): Refusal {
  return new Refusal(
    "WRONG_ORIGIN",
    "Another page sent this request.",
    "Only the dashboard that this server gives out may ask it; programs send no Origin.",
  );
}

type Keeper = { readonly session: Session; readonly failures: Failures };

/** In the header and nowhere else: an address is kept in histories and logs. */
export function requireToken({ headers }: Pick<Asked, "headers">, { session, failures }: Keeper): void {
  const said = headers.get("authorization");
  const token = said === null ? undefined : /^Bearer ([\w-]{1,200})$/.exec(said)?.[1];
  if (token !== undefined && session.isToken(token)) return;
  if (said !== null) refuseGuessing(failures);
  throw new Refusal(
    said === null ? "TOKEN_MISSING" : "TOKEN_WRONG",
    said === null ? "This needs the server's token." : "This is not the server's token.",
    "Open a new link with `signalbox ui`.",
  );
}

/** Counts a wrong guess. */
export function refuseGuessing(failures: Failures): void {
  if (!failures.add()) return;
  throw new Refusal(
    "TOO_MANY_FAILURES",
    "There were too many wrong tokens or codes within a minute.",
    "Wait a minute, then open a new link with `signalbox ui`.",
  );
}

const JSON_TYPE = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;

/** A form of another site can send anything but this. */
export function requireJson({ headers }: Pick<Asked, "headers">): void {
  if (JSON_TYPE.test(headers.get("content-type") ?? "")) return;
  throw new Refusal("NOT_JSON", "This route takes JSON.", "Send it with content-type: application/json.");
}

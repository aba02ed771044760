import type { FailureLimit } from "./failure-limit.ts";
import { Refusal } from "./refusal.ts";
import type { Session } from "./session.ts";

/** Addresses of this server. Requests are compared with this list, never with their own headers. */
export type Address = { readonly hosts: readonly string[]; readonly origins: readonly string[] };

export function toAddress(port: number): Address {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  return { hosts, origins: hosts.map((host) => `http://${host}`) };
}

type GuardedRequest = { readonly url: string; readonly method: string; readonly headers: Headers };

/** Rejects other host names: DNS of another site may point to this machine. */
export function requireHost({ url, headers }: GuardedRequest, { hosts }: Address): void {
  const header = headers.get("host") ?? "";
  // The request line may also name a host.
  if (hosts.includes(header) && hosts.includes(new URL(url).host)) return;
  throw new Refusal(
    "WRONG_HOST",
    "This server does not serve that host name.",
    `Use the link that \`signalbox ui\` prints: http://${hosts[0]}/.`,
  );
}

/**
 * Rejects requests from pages of other sites and other local ports. Origin `null` means that a page hides its origin.
 */
export function requireOrigin({ method, headers }: GuardedRequest, { origins }: Address, isApi: boolean): void {
  const origin = headers.get("origin");
  if (origin !== null && !origins.includes(origin)) throw createOriginRefusal();
  const site = headers.get("sec-fetch-site");
  const own = site === null || site === "same-origin" || site === "none";
  // Any site may link to the page itself, which contains no data.
  if (isApi && !own) throw createOriginRefusal();
  // A browser reports the origin of a request with an effect. Programs send neither header.
  if (isApi && !READS.has(method) && site === "none" && origin === null) throw createOriginRefusal();
  if (headers.get("upgrade") !== null) {
    throw new Refusal("NO_UPGRADE", "This server supports plain HTTP only.", "Read GET /api/stream with fetch.");
  }
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

function createOriginRefusal(): Refusal {
  return new Refusal(
    "WRONG_ORIGIN",
    "The request comes from another site.",
    "Only the dashboard of this server may send requests; programs must not send an Origin header.",
  );
}

type TokenCheck = { readonly session: Session; readonly failures: FailureLimit };

/** Accepts the token in the header only, because URLs are stored in histories and logs. */
export function requireToken({ headers }: Pick<GuardedRequest, "headers">, { session, failures }: TokenCheck): void {
  const header = headers.get("authorization");
  const token = header === null ? undefined : /^Bearer ([\w-]{1,200})$/.exec(header)?.[1];
  if (token !== undefined && session.isToken(token)) return;
  if (header !== null) refuseGuessing(failures);
  throw new Refusal(
    header === null ? "TOKEN_MISSING" : "TOKEN_WRONG",
    header === null ? "The request has no token." : "The token is wrong.",
    "Open a new link with `signalbox ui`.",
  );
}

/** Counts a wrong guess and throws if there were too many. */
export function refuseGuessing(failures: FailureLimit): void {
  if (!failures.add()) return;
  throw new Refusal(
    "TOO_MANY_FAILURES",
    "Too many wrong tokens or codes within a minute.",
    "Wait a minute, then open a new link with `signalbox ui`.",
  );
}

const JSON_TYPE = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;

/** A form on another site cannot send this content type. */
export function requireJson({ headers }: Pick<GuardedRequest, "headers">): void {
  if (JSON_TYPE.test(headers.get("content-type") ?? "")) return;
  throw new Refusal("NOT_JSON", "This route requires JSON.", "Send content-type: application/json.");
}

import { tokenOf } from "./session.ts";

/** What the server refused, in its own words: what happened, and what to do next. */
export class ApiError extends Error {
  readonly status: number;
  readonly hint: string;
  readonly body: Readonly<Record<string, unknown>>;
  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const error = (body["error"] ?? {}) as { readonly message?: string; readonly hint?: string };
    super(error.message ?? `The server answered ${status}.`);
    this.status = status;
    this.hint = error.hint ?? "";
    this.body = body;
  }
}

/** The server is trusted for the shape of what it sends: both are of one version, and the page says so if not. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return read<T>(await fetch(`/api${path}`, { headers: headers(), ...(signal ? { signal } : {}) }));
}

export async function post<T>(path: string, body: unknown, key: string = crypto.randomUUID()): Promise<T> {
  const sent = {
    method: "POST",
    headers: { ...headers(), "content-type": "application/json", "idempotency-key": key },
  };
  return read<T>(await fetch(`/api${path}`, { ...sent, body: JSON.stringify(body) }));
}

const headers = () => ({ authorization: `Bearer ${tokenOf() ?? ""}` });

async function read<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  throw new ApiError(response.status, (await response.json().catch(() => ({}))) as Record<string, unknown>);
}

/** A path's parts, each escaped: keys hold spaces, slashes and questions. */
export function query(fields: Readonly<Record<string, string | number | undefined>>): string {
  const found = Object.entries(fields).filter(([, value]) => value !== undefined);
  return found.length === 0 ? "" : `?${new URLSearchParams(found.map(([name, value]) => [name, String(value)]))}`;
}

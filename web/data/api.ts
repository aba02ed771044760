import { getToken } from "./session.ts";

/** An error response of the server, with its message and hint. */
export class ApiError extends Error {
  readonly status: number;
  readonly hint: string;
  readonly body: Readonly<Record<string, unknown>>;
  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const error = (body["error"] ?? {}) as { readonly message?: string; readonly hint?: string };
    super(error.message ?? `The server returned status ${status}.`);
    this.status = status;
    this.hint = error.hint ?? "";
    this.body = body;
  }
}

/**
 * Sends a request. The shape of the response is trusted, because page and server have the same version, which the page
 * checks.
 */
export async function fetchJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return readResponse<T>(await fetch(`/api${path}`, { headers: buildHeaders(), ...(signal ? { signal } : {}) }));
}

export async function postJson<T>(path: string, body: unknown, key: string = crypto.randomUUID()): Promise<T> {
  const sent = {
    method: "POST",
    headers: { ...buildHeaders(), "content-type": "application/json", "idempotency-key": key },
  };
  return readResponse<T>(await fetch(`/api${path}`, { ...sent, body: JSON.stringify(body) }));
}

const buildHeaders = () => ({ authorization: `Bearer ${getToken() ?? ""}` });

async function readResponse<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  throw new ApiError(response.status, (await response.json().catch(() => ({}))) as Record<string, unknown>);
}

/** Builds a query string. Values are escaped, because keys contain spaces, slashes and question marks. */
export function buildQuery(fields: Readonly<Record<string, string | number | undefined>>): string {
  const found = Object.entries(fields).filter(([, value]) => value !== undefined);
  return found.length === 0 ? "" : `?${new URLSearchParams(found.map(([name, value]) => [name, String(value)]))}`;
}

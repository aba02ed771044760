/** Nothing but our own files, no frames, no forms, no other place to talk to; agents' text stays text. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const ALWAYS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** On every answer, also on refusals. What the api says is kept by nobody. */
export function protect(headers: Headers): void {
  for (const [name, value] of Object.entries(ALWAYS)) headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
}

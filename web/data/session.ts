/** Storage key of the server's token, which comes from the link and stays in this browser. */
const STORAGE_KEY = "signalbox.token";

export const getToken = (): string | null => localStorage.getItem(STORAGE_KEY);

/**
 * Removes the one-time code from the URL, so that it is neither displayed nor copied, and exchanges it for the token.
 */
export async function openSession(): Promise<string | null> {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1];
  if (code === undefined) return getToken();
  history.replaceState(null, "", location.pathname + location.search);
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: decodeURIComponent(code) }),
  });
  if (!response.ok) return getToken();
  const { token } = (await response.json()) as { readonly token: string };
  localStorage.setItem(STORAGE_KEY, token);
  return token;
}

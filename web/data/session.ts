/** The server's token: it comes once by the link's fragment, and stays with this browser. */
const KEPT = "signalbox.token";

export const tokenOf = (): string | null => localStorage.getItem(KEPT);

/** Takes the one-use code out of the address, so that it is neither seen nor copied, and exchanges it. */
export async function openSession(): Promise<string | null> {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1];
  if (code === undefined) return tokenOf();
  history.replaceState(null, "", location.pathname + location.search);
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: decodeURIComponent(code) }),
  });
  if (!response.ok) return tokenOf();
  const { token } = (await response.json()) as { readonly token: string };
  localStorage.setItem(KEPT, token);
  return token;
}

/** Whether it is an address of a Postgres at all: in anything else nobody knows where a password stands. */
export function isPostgresAddress(url: string): boolean {
  return URL.canParse(url) && ["postgres:", "postgresql:"].includes(new URL(url).protocol);
}

/** A database's address as it may be shown: without password and options, which may hold one too. */
export function withoutPassword(url: string): string {
  if (!isPostgresAddress(url)) return "the given address";
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

/** Where a password stands in the address itself: it can be read by everybody who can read the file it is in. */
export function hasPassword(url: string): boolean {
  if (!isPostgresAddress(url)) return /:[^/@]+@|password=/i.test(url);
  const { password, searchParams } = new URL(url);
  return password !== "" || searchParams.has("password");
}

/** The text with every form of the address's password taken out. */
export function redactPassword(text: string, url: string): string {
  return passwordsOf(url).reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
}

function passwordsOf(url: string): readonly string[] {
  if (!isPostgresAddress(url)) return [url];
  const { password, searchParams } = new URL(url);
  const raw = [password, searchParams.get("password") ?? ""];
  return [url, ...raw, ...raw.map(decoded)].filter((secret) => secret !== "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

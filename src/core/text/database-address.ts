/** Returns whether the address is a Postgres address. In any other form the position of a password is unknown. */
export function isPostgresAddress(url: string): boolean {
  return URL.canParse(url) && ["postgres:", "postgresql:"].includes(new URL(url).protocol);
}

/** Returns a printable address of a database, without password and options. Options may contain a password too. */
export function hidePassword(url: string): string {
  if (!isPostgresAddress(url)) return "the given address";
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

/** Returns whether the address itself contains a password, which everyone who can read its file can read. */
export function hasPassword(url: string): boolean {
  if (!isPostgresAddress(url)) return /:[^/@]+@|password=/i.test(url);
  const { password, searchParams } = new URL(url);
  return password !== "" || searchParams.has("password");
}

/** Removes every form of the address's password from the text. */
export function redactPassword(text: string, url: string): string {
  return listPasswords(url).reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
}

function listPasswords(url: string): readonly string[] {
  if (!isPostgresAddress(url)) return [url];
  const { password, searchParams } = new URL(url);
  const raw = [password, searchParams.get("password") ?? ""];
  return [url, ...raw, ...raw.map(decodeAddressPart)].filter((secret) => secret !== "");
}

function decodeAddressPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

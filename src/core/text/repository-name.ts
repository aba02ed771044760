/**
 * Returns the name that all clones of a repository share: the address of their common remote, normalized over protocols
 * and without credentials. A path is returned unchanged; callers with disk access resolve it first.
 */
export function normalizeRemote(address: string): string {
  const text = address.trim();
  if (isPath(text)) return removeGitSuffix(toFolderPath(text));
  const url = URL_FORM.exec(text);
  if (url) return formatRemoteName(url[1] ?? "", url[2] ?? "", url[3] ?? "");
  const [, host = "", path = ""] = SCP_FORM.exec(text) ?? [];
  return joinHostAndPath(getHost(host), path);
}

/** Returns whether the address is a folder of this machine. */
export function isPath(address: string): boolean {
  if (/^file:\/\//i.test(address)) return true;
  return !URL_FORM.test(address) && !SCP_FORM.test(address);
}

/** Returns the folder of such an address. */
export function toFolderPath(address: string): string {
  if (!/^file:\/\//i.test(address)) return address;
  const path = address.replace(/^file:\/\/[^/]*/i, "");
  return decodePath(path === "" ? "/" : path);
}

/** Removes user names and passwords from the address, for printing. */
export function removeCredentials(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*(?:@[^/@]*)*@/i, "$1");
}

/** `scheme://user:password@host:port/path`. */
const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)?$/i;
/** `user@host:path`. Git treats it as a remote address only if no slash precedes the colon. */
const SCP_FORM = /^((?:[^/:]*@)?(?:\[[^\]]*\]|[^/:[\]]+)):(.*)$/;

const PORTS: Readonly<Record<string, string>> = { http: "80", https: "443", git: "9418" };

function formatRemoteName(scheme: string, authority: string, path: string): string {
  const kind = scheme.toLowerCase().replace(/^git\+/, "");
  const { host, port } = splitAuthority(authority);
  // A port of ssh is only an entry to the machine; a port of another protocol is often another service.
  const other = kind !== "ssh" && port !== "" && port !== PORTS[kind];
  return joinHostAndPath(other ? `${host}:${port}` : host, decodePath(path));
}

function splitAuthority(authority: string): { readonly host: string; readonly port: string } {
  const [, host = "", port = ""] = /^(.*?)(?::(\d*))?$/.exec(removeUser(authority)) ?? [];
  return { host: host.toLowerCase(), port };
}

const getHost = (text: string): string => removeUser(text).toLowerCase();

function removeUser(text: string): string {
  return text.slice(text.lastIndexOf("@") + 1);
}

function joinHostAndPath(host: string, path: string): string {
  const plain = removeGitSuffix(path.replace(/^\/+/, "")).replace(/\.git$/, "");
  return plain === "" ? host : `${host}/${removeGitSuffix(plain)}`;
}

function removeGitSuffix(path: string): string {
  return path.replace(/\/{2,}/g, "/").replace(/(.)\/+$/, "$1");
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns secret variables: those with a secret name, and passwords in URLs of any variable. */
export function listSecrets(env: NodeJS.ProcessEnv): readonly (readonly [name: string, value: string])[] {
  return Object.entries(env).flatMap(([name, value = ""]): (readonly [string, string])[] => {
    if (isSecretName(name) || configuredNames.has(name)) return [[name, value]];
    const [, scheme, user, password] = PASSWORD_IN_ADDRESS.exec(value) ?? [];
    // A password equal to the URL's scheme or user is not treated as a secret; otherwise that word would be redacted
    // everywhere.
    return password === undefined || password === user || password === scheme ? [] : [[name, password]];
  });
}

/** Secrets from a configuration: variables without a secret-looking name, and values in the file itself. */
const configuredNames = new Set<string>();
const configuredValues = new Map<string, string>();

/** Marks variables as secret. From now on their values are redacted in all output of this process. */
export function markSecretVariables(names: readonly string[]): void {
  for (const name of names) configuredNames.add(name);
}

export function addSecret(name: string, value: string): void {
  configuredValues.set(value, name);
}

/** Secrets from configurations read so far. The set only grows. */
export function getConfiguredSecrets(): {
  readonly size: number;
  readonly values: readonly (readonly [string, string])[];
} {
  return {
    size: configuredNames.size + configuredValues.size,
    values: [...configuredValues].map(([value, name]) => [name, value] as const),
  };
}

/** True if a variable of this name contains a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.test(name) && !PLACE_NAMES.test(name);
}

/**
 * Returns all forms of a secret. A multi-line value also yields its distinctive lines, because a diff prefixes each
 * line.
 */
export function listSecretForms(value: string): readonly string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const telling = lines.length === 1 ? [] : lines.filter((line) => TELLING_LINE.test(line));
  return [value, ...telling].flatMap(encodeForms);
}

const TELLING_LINE = /^[^\s"'-][^\s"']{15,}$/;

/**
 * Returns the encodings of a value in logs, requests and documents. Values short enough to be an ordinary word yield
 * nothing.
 */
function encodeForms(value: string): readonly string[] {
  if (value.length < SHORTEST) return [];
  const bytes = Buffer.from(value);
  const forms = [
    value,
    // A variable read from a file often ends with a line feed, which programs do not print.
    value.trim(),
    // Agents nest JSON in JSON, because they report tool results as JSON.
    ...nestInJson(value),
    ...encodeForUrl(value.toWellFormed()),
    ...[0, 1, 2].flatMap((shift) => encodeBase64Forms(bytes, shift)),
  ];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST);
}

const SECRET_NAMES = /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|(?:^|_)(?:KEY|PASS|PAT)S?(?:_|$)/i;
/** Names of paths and addresses, which are useful in messages and not secret. */
const PLACE_NAMES = /_(?:FILE|PATH|DIR|SOCK|URL)$/i;
const PASSWORD_IN_ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/([^\s:@/]*):([^\s@/]{8,})@/i;
/** Minimum length; shorter values could be ordinary words. */
const SHORTEST = 8;

function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Encodes a value in nested JSON, which multiplies its quotes and backslashes. */
function nestInJson(value: string): readonly string[] {
  const once = escapeJson(value);
  return [once, ...escapeAsAscii(once)].flatMap((form) => {
    const twice = escapeJson(form);
    const thrice = escapeJson(twice);
    return [form, twice, thrice, escapeJson(thrice)];
  });
}

/** ASCII-only JSON in both digit cases, and JSON with escaped slashes. */
function escapeAsAscii(json: string): readonly string[] {
  const spelled = (code: (digits: string) => string) =>
    json.replaceAll(/[^ -~]/g, (char) => `\\u${code(char.charCodeAt(0).toString(16).padStart(4, "0"))}`);
  const ascii = [spelled((digits) => digits), spelled((digits) => digits.toUpperCase())];
  return [json, ...ascii].flatMap((form) => [form, form.replaceAll("/", "\\/")]).filter((form) => form !== json);
}

function encodeForUrl(value: string): readonly string[] {
  const encoded = [encodeURIComponent(value), new URLSearchParams({ "": value }).toString().slice(1)];
  const small = encoded.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [...encoded, ...small];
}

/**
 * Base64 turns three bytes into four characters, so a value within a longer text ("user:secret") has three encodings.
 * The first and last characters depend on the neighbors and are left out.
 */
function encodeBase64Forms(bytes: Buffer, shift: number): readonly string[] {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  const shared = shift === 0 ? 0 : shift + 1;
  const rest = (shift + bytes.length) % 3;
  const inner = text.replace(/=+$/, "").slice(shared, rest === 0 ? undefined : -1);
  const whole = shift === 0 ? [text, text.replace(/=+$/, "")] : [];
  return [...whole, inner].flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

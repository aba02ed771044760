/** Variables whose values are secrets: by their names, and passwords inside addresses under any name. */
export function secretsOf(env: NodeJS.ProcessEnv): readonly (readonly [name: string, value: string])[] {
  return Object.entries(env).flatMap(([name, value = ""]): (readonly [string, string])[] => {
    if (isSecretName(name) || named.has(name)) return [[name, value]];
    const [, scheme, user, password] = PASSWORD_IN_ADDRESS.exec(value) ?? [];
    // A word that the address says elsewhere too is no secret, and would be taken out of everything that is said.
    return password === undefined || password === user || password === scheme ? [] : [[name, password]];
  });
}

/** Variables that a configuration uses as secrets, under names that do not say so; and secrets that it holds itself. */
const named = new Set<string>();
const held = new Map<string, string>();

/** From here on their values are taken out of every text of this process. */
export function nameSecrets(names: readonly string[]): void {
  for (const name of names) named.add(name);
}

export function holdSecret(name: string, value: string): void {
  held.set(value, name);
}

/** What a configuration has said so far; grows, and is never taken back. */
export function configuredSecrets(): {
  readonly size: number;
  readonly values: readonly (readonly [string, string])[];
} {
  return { size: named.size + held.size, values: [...held].map(([value, name]) => [name, value] as const) };
}

/** A variable of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.test(name) && !PLACE_NAMES.test(name);
}

/** Of a value over several lines also each line that cannot be an ordinary one: a diff puts signs before them. */
export function secretForms(value: string): readonly string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const telling = lines.length === 1 ? [] : lines.filter((line) => TELLING_LINE.test(line));
  return [value, ...telling].flatMap(formsOf);
}

const TELLING_LINE = /^[^\s"'-][^\s"']{15,}$/;

/** The value as it is and as logs, requests and documents carry it; nothing for one that may be an ordinary word. */
function formsOf(value: string): readonly string[] {
  if (value.length < SHORTEST) return [];
  const bytes = Buffer.from(value);
  const forms = [
    value,
    // A file's last line feed is often part of the variable and never of what a program prints.
    value.trim(),
    // Agents report as JSON what tools gave them as JSON, and are themselves reported so.
    ...wrappings(value),
    ...addressForms(value.toWellFormed()),
    ...[0, 1, 2].flatMap((shift) => base64Forms(bytes, shift)),
  ];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST);
}

const SECRET_NAMES = /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|(?:^|_)(?:KEY|PASS|PAT)S?(?:_|$)/i;
/** These say where something lies, and a path in a message helps. */
const PLACE_NAMES = /_(?:FILE|PATH|DIR|SOCK|URL)$/i;
const PASSWORD_IN_ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/([^\s:@/]*):([^\s@/]{8,})@/i;
/** Shorter values would also be ordinary words. */
const SHORTEST = 8;

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** In JSON, in JSON in JSON and so on: each time its quotes and backslashes become more. */
function wrappings(value: string): readonly string[] {
  const once = inJson(value);
  return [once, ...escapedForms(once)].flatMap((form) => {
    const twice = inJson(form);
    const thrice = inJson(twice);
    return [form, twice, thrice, inJson(thrice)];
  });
}

/** Many programs write JSON in ASCII alone, with small or capital digits; some put a backslash before a slash too. */
function escapedForms(json: string): readonly string[] {
  const spelled = (code: (digits: string) => string) =>
    json.replaceAll(/[^ -~]/g, (char) => `\\u${code(char.charCodeAt(0).toString(16).padStart(4, "0"))}`);
  const ascii = [spelled((digits) => digits), spelled((digits) => digits.toUpperCase())];
  return [json, ...ascii].flatMap((form) => [form, form.replaceAll("/", "\\/")]).filter((form) => form !== json);
}

function addressForms(value: string): readonly string[] {
  const encoded = [encodeURIComponent(value), new URLSearchParams({ "": value }).toString().slice(1)];
  const small = encoded.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [...encoded, ...small];
}

/**
 * Three bytes become four characters, so inside a longer text ("user:secret") a value has three spellings. Its first
 * and last characters are shared with its neighbours and not part of the form.
 */
function base64Forms(bytes: Buffer, shift: number): readonly string[] {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  const shared = shift === 0 ? 0 : shift + 1;
  const rest = (shift + bytes.length) % 3;
  const inner = text.replace(/=+$/, "").slice(shared, rest === 0 ? undefined : -1);
  const whole = shift === 0 ? [text, text.replace(/=+$/, "")] : [];
  return [...whole, inner].flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

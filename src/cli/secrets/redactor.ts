import { getConfiguredSecrets, listSecretForms, listSecrets } from "./secrets.ts";

export type RedactStream = {
  /** Adds a chunk and returns the redacted text that is complete so far. */
  push(chunk: string): string;
  /** Returns the rest. */
  end(): string;
};

/**
 * Creates a function that redacts secrets: values of secret variables, in the usual encodings and in any context, and
 * texts with the shape of a well-known key. `extra` adds secrets by name.
 */
export function createRedactor(env: NodeJS.ProcessEnv, extra: Readonly<Record<string, string>> = {}) {
  // Compiled on first use, because many calls print nothing that needs redaction.
  let redaction: Redaction | undefined;
  return (text: string): string => {
    // A configuration read since then may have added secrets.
    if (redaction?.known !== getConfiguredSecrets().size) redaction = compileRedaction(env, extra);
    return redactText(text, redaction);
  };
}

/** Redacts a text that arrives in chunks. A secret that spans chunks is found. */
export function createRedactStream(env: NodeJS.ProcessEnv, extra: Readonly<Record<string, string>> = {}): RedactStream {
  const redaction = compileRedaction(env, extra);
  const held = Math.max(MAX_MATCH_LENGTH, ...[...redaction.names.keys()].map((form) => form.length));
  let before = "";
  let waiting = "";
  const take = (settled: number): string => {
    const { clean, upTo } = redactPiece({ before, text: waiting, settled }, redaction);
    before = (before + waiting.slice(0, upTo)).slice(-CONTEXT);
    waiting = waiting.slice(upTo);
    return clean;
  };
  return {
    push(chunk) {
      waiting += chunk;
      // Twice the held length, so that no character is scanned more than a few times even with small chunks.
      return waiting.length < 2 * held ? "" : take(waiting.length - held);
    },
    end: () => take(waiting.length),
  };
}

type Redaction = {
  readonly pattern: RegExp;
  readonly names: ReadonlyMap<string, string>;
  /** Number of configured secrets at the time of compilation. */
  readonly known: number;
};

function compileRedaction(env: NodeJS.ProcessEnv, extra: Readonly<Record<string, string>>): Redaction {
  const names = new Map<string, string>();
  const configured = getConfiguredSecrets();
  for (const [name, value] of [...Object.entries(extra), ...configured.values, ...listSecrets(env)]) {
    for (const form of listSecretForms(value)) if (!names.has(form)) names.set(form, name);
  }
  // Longer secrets come before secrets that they contain, and known values before shapes.
  const values = [...names.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
  return { pattern: new RegExp([...values, ...SHAPES].join("|"), "gu"), names, known: configured.size };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function redactText(text: string, redaction: Redaction): string {
  return redactPiece({ before: "", text, settled: text.length }, redaction).clean;
}

type TextPiece = {
  readonly before: string;
  readonly text: string;
  /** Matches that start before this offset lie completely within the text. */
  readonly settled: number;
};

function redactPiece({ before, text, settled }: TextPiece, { pattern, names }: Redaction) {
  const whole = before + text;
  const end = before.length + settled;
  const parts: string[] = [];
  let at = before.length;
  pattern.lastIndex = at;
  for (let match = pattern.exec(whole); match !== null && match.index < end; match = pattern.exec(whole)) {
    const name = names.get(match[0]);
    parts.push(whole.slice(at, match.index), name === undefined ? "[redacted]" : `[redacted:${name}]`);
    at = match.index + match[0].length;
  }
  const upTo = Math.max(at, end);
  parts.push(whole.slice(at, upTo));
  return { clean: parts.join(""), upTo: upTo - before.length };
}

/**
 * Start of a key: the start of a word. An escaped line feed or a percent-encoded character before it does not belong to
 * it.
 */
const START = String.raw`(?<=^|[^A-Za-z0-9]|\\[nrt]|%[0-9A-Fa-f]{2})`;
const HEADER = String.raw`(?<=(?i:authorization)[\\"']{0,2}\s{0,4}[:=]\s{0,4}[\\"']{0,2}(?i:bearer|basic|token)\s{1,4})`;
const PEM_HEADERS = String.raw`(?:(?:\s|\\{1,8}[nrt]){0,4}(?:Proc-Type|DEK-Info):[^\n\\]{0,100}){0,2}`;
const PEM_LINES = String.raw`${PEM_HEADERS}(?:[A-Za-z0-9+\/=\s]|\\{1,8}[nrt]){0,12000}`;

/**
 * All repetitions are bounded and unambiguous: matching time is linear, and the longest match is known, which the
 * stream relies on.
 */
const SHAPES: readonly string[] = [
  ...[
    String.raw`sk-(?=[A-Za-z_\-]{0,32}\d)[\w\-]{20,2048}`,
    "gh[pousr]_[A-Za-z0-9]{20,2048}",
    String.raw`github_pat_\w{20,2048}`,
    "xox[a-z]-[A-Za-z0-9-]{10,2048}",
    String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/[\w\/]{16,256}`,
    "(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])",
    String.raw`AIza[\w\-]{30,128}`,
    String.raw`glpat-[\w\-.]{20,2048}`,
    "npm_[A-Za-z0-9]{30,2048}",
    "hf_[A-Za-z0-9]{30,2048}",
    "(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,256}",
    "whsec_[A-Za-z0-9+/=]{24,256}",
    String.raw`SG\.[\w\-]{16,64}\.[\w\-]{16,128}`,
    "do[opr]_v1_[0-9a-f]{32,128}",
    String.raw`hvs\.[\w\-]{20,512}`,
    String.raw`(?:dckr_pat_|pypi-AgEI|lin_api_|ya29\.)[\w\-]{20,2048}`,
    "(?:shpat|shpss)_[0-9a-fA-F]{32,64}",
    "(?:gsk|r8|xai)[_-][A-Za-z0-9]{32,128}",
    String.raw`eyJ[\w\-]{10,8192}\.eyJ[\w\-]{10,8192}\.[\w\-]{5,8192}`,
  ].map((shape) => START + shape),
  `-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----${PEM_LINES}(?:-----END [A-Z ]{0,50}-----)?`,
  // Includes the `//`, because a lookbehind for a URL at every letter would be slow.
  String.raw`\/\/[^\s:@\/]{0,64}:(?!\[redacted)[^\s@\/"'\\]{8,512}(?=@)`,
  String.raw`${HEADER}(?!\[redacted)[^\s"'\\,;]{8,2048}`,
];
// A PEM block with every character escaped four times is about 105 KiB.
const MAX_MATCH_LENGTH = 112 * 1024;
/** Longest lookbehind of a shape. */
const CONTEXT = 128;

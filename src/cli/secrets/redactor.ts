import { configuredSecrets, secretForms, secretsOf } from "./secrets.ts";

export type RedactStream = {
  /** What can be shown of the text so far. */
  push(chunk: string): string;
  /** The rest. */
  end(): string;
};

/**
 * Takes secrets out of a text: those of this environment by value, whatever surrounds them and in the usual
 * encodings, and what has the shape of a well-known key. `extra` holds further secrets by name.
 */
export function redactor(env: NodeJS.ProcessEnv, extra: Readonly<Record<string, string>> = {}) {
  // Many uses of the program never show a text that has to be looked at.
  let redaction: Redaction | undefined;
  return (text: string): string => {
    // A configuration that was read meanwhile may have named more.
    if (redaction?.known !== configuredSecrets().size) redaction = compile(env, extra);
    return cleaned(text, redaction);
  };
}

/** The same for a text that arrives in pieces: a secret across their borders is found all the same. */
export function redactStream(env: NodeJS.ProcessEnv, extra: Readonly<Record<string, string>> = {}): RedactStream {
  const redaction = compile(env, extra);
  const held = Math.max(LONGEST_MATCH, ...[...redaction.names.keys()].map((form) => form.length));
  let before = "";
  let waiting = "";
  const take = (settled: number): string => {
    const { clean, upTo } = redact({ before, text: waiting, settled }, redaction);
    before = (before + waiting.slice(0, upTo)).slice(-CONTEXT);
    waiting = waiting.slice(upTo);
    return clean;
  };
  return {
    push(chunk) {
      waiting += chunk;
      // Twice as much, so that no character is looked at more than a few times however small the pieces are.
      return waiting.length < 2 * held ? "" : take(waiting.length - held);
    },
    end: () => take(waiting.length),
  };
}

type Redaction = {
  readonly pattern: RegExp;
  readonly names: ReadonlyMap<string, string>;
  /** How many secrets of a configuration it knows. */
  readonly known: number;
};

function compile(env: NodeJS.ProcessEnv, extra: Readonly<Record<string, string>>): Redaction {
  const names = new Map<string, string>();
  const configured = configuredSecrets();
  for (const [name, value] of [...Object.entries(extra), ...configured.values, ...secretsOf(env)]) {
    for (const form of secretForms(value)) if (!names.has(form)) names.set(form, name);
  }
  // A secret that contains another one goes first, and a known value before a shape.
  const values = [...names.keys()].sort((a, b) => b.length - a.length).map(literally);
  return { pattern: new RegExp([...values, ...SHAPES].join("|"), "gu"), names, known: configured.size };
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function cleaned(text: string, redaction: Redaction): string {
  return redact({ before: "", text, settled: text.length }, redaction).clean;
}

type Piece = {
  readonly before: string;
  readonly text: string;
  /** Matches that begin before this place lie wholly within the text. */
  readonly settled: number;
};

function redact({ before, text, settled }: Piece, { pattern, names }: Redaction) {
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

/** A key begins where a word does; an escaped line feed or an encoded sign before it is no letter of it. */
const START = String.raw`(?<=^|[^A-Za-z0-9]|\\[nrt]|%[0-9A-Fa-f]{2})`;
const HEADER = String.raw`(?<=(?i:authorization)[\\"']{0,2}\s{0,4}[:=]\s{0,4}[\\"']{0,2}(?i:bearer|basic|token)\s{1,4})`;
const PEM_HEADERS = String.raw`(?:(?:\s|\\{1,8}[nrt]){0,4}(?:Proc-Type|DEK-Info):[^\n\\]{0,100}){0,2}`;
const PEM_LINES = String.raw`${PEM_HEADERS}(?:[A-Za-z0-9+\/=\s]|\\{1,8}[nrt]){0,12000}`;

/**
 * Every repetition is bounded and none is ambiguous: the time stays linear in what an agent prints, and a match has
 * a greatest length, which the stream relies on.
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
  // With the name before it: looking back from every letter for an address would make all texts slow.
  String.raw`\/\/[^\s:@\/]{0,64}:(?!\[redacted)[^\s@\/"'\\]{8,512}(?=@)`,
  String.raw`${HEADER}(?!\[redacted)[^\s"'\\,;]{8,2048}`,
];
// A PEM block whose every sign is escaped four times is about 105 KiB.
const LONGEST_MATCH = 112 * 1024;
/** As far as a shape looks back. */
const CONTEXT = 128;

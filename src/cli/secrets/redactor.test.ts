import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMs } from "../../../test/support/cpu-clock.ts";
import { createRedactor, createRedactStream } from "./redactor.ts";

/** Deterministic text that looks random. */
function createRandomText(seed: string, length: number, alphabet: string): string {
  const bytes = createHash("shake256", { outputLength: length }).update(seed).digest();
  return [...bytes].map((byte) => alphabet[byte % alphabet.length]).join("");
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const WILD = `${LETTERS}+/=%&?#"'\\ <>{}[]$^*().|~ü€😀`;
const WORDS = ["API_KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIALS", "ACCESS_KEY"];

const planted = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => {
    const value = createRandomText(
      `secret ${index}`,
      8 + index,
      index % 2 === 0 ? LETTERS : [...WILD].slice(0, -1).join(""),
    );
    return [`APP_${index}_${WORDS[index % WORDS.length]}`, value.toWellFormed().trim().padEnd(8, "x")] as const;
  }),
);

function escapeNonAscii(json: string, code: (digits: string) => string): string {
  return json.replaceAll(/[^ -~]/g, (char) => `\\u${code(char.charCodeAt(0).toString(16).padStart(4, "0"))}`);
}

const FORMS: Readonly<Record<string, (value: string) => string>> = {
  raw: (value) => value,
  "in JSON": (value) => JSON.stringify({ value }),
  "in JSON twice": (value) => JSON.stringify(JSON.stringify({ value })),
  "in ASCII-only JSON": (value) => escapeNonAscii(JSON.stringify({ value }), (digits) => digits),
  "in ASCII-only JSON, twice": (value) => JSON.stringify(escapeNonAscii(JSON.stringify({ value }), (digits) => digits)),
  "in JSON with capital digits": (value) => escapeNonAscii(JSON.stringify({ value }), (digits) => digits.toUpperCase()),
  "in JSON with escaped slashes": (value) =>
    escapeNonAscii(JSON.stringify({ value }), (digits) => digits).replaceAll("/", "\\/"),
  base64: (value) => Buffer.from(value).toString("base64"),
  base64url: (value) => Buffer.from(value).toString("base64url"),
  "base64 after a user name": (value) => Buffer.from(`user:${value}`).toString("base64"),
  "base64 inside a longer text": (value) => Buffer.from(`ab${value}yz`).toString("base64"),
  "in a URL": (value) => `https://host/?q=${encodeURIComponent(value)}&x`,
  "in a form": (value) => new URLSearchParams({ q: value }).toString(),
};

/** Strings that would reveal the secret: its encodings, or six bytes of it in base64. */
function listTraces(value: string): string[] {
  const core = Buffer.from(value).subarray(0, Math.floor(Buffer.byteLength(value) / 3) * 3);
  return [value, core.toString("base64"), encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
}

describe("values of secret variables", () => {
  const redact = createRedactor({ ...planted, HOME: "/home/somebody", LANG: "C.UTF-8" });

  it.each(Object.entries(FORMS))("are redacted %s", (_name, form) => {
    for (const [name, value] of Object.entries(planted)) {
      const clean = redact(`before ${form(value)} after`);
      expect(clean).toContain("[redacted:APP_");
      expect(clean, name).toMatch(/^before .* after$/s);
      for (const trace of listTraces(value)) expect(clean).not.toContain(trace);
    }
  });

  it("are all redacted from one text that contains all of them in every form", () => {
    const text = Object.values(planted).flatMap((value) => Object.values(FORMS).map((form) => form(value)));
    const clean = redact(text.join("\n"));
    const left = Object.values(planted).filter((value) => listTraces(value).some((trace) => clean.includes(trace)));
    expect(left).toEqual([]);
  });

  it("are replaced by the variable's name, whatever surrounds them", () => {
    const mine = createRedactor({ MY_API_KEY: "12345678", HOME: "/home/somebody", SHORT_TOKEN: "abc" });
    expect(mine("key=12345678;/home/somebody abc")).toBe("key=[redacted:MY_API_KEY];/home/somebody abc");
  });

  it("are redacted completely when one contains another", () => {
    const mine = createRedactor({ A_TOKEN: "12345678", B_TOKEN: "12345678-tail" });
    expect(mine("x 12345678-tail y")).toBe("x [redacted:B_TOKEN] y");
  });

  it("include passwords in URLs and secrets named by the caller", () => {
    const mine = createRedactor(
      { DATABASE_URL: "postgres://me:hunter2hunter2@db/x" },
      { dashboard: "0123456789abcdef" },
    );
    expect(mine("login hunter2hunter2 at db")).toBe("login [redacted:DATABASE_URL] at db");
    expect(mine("?t=0123456789abcdef")).toBe("?t=[redacted:dashboard]");
  });

  it("exclude file paths and ordinary variables", () => {
    const mine = createRedactor({
      SSL_KEY_FILE: "/etc/ssl/me.pem",
      KEYBOARD: "us-qwerty",
      MONKEY_NAME: "charlie-brown",
    });
    const text = "/etc/ssl/me.pem us-qwerty charlie-brown";
    expect(mine(text)).toBe(text);
  });
});

const body = createRandomText("body", 48, LETTERS);
const pem = (kind: string, text: string) => `-----BEGIN ${kind}-----\n${text}\n-----END ${kind}-----`;
const base64Lines = Array.from({ length: 25 }, (_, line) => createRandomText(`line ${line}`, 64, LETTERS)).join("\n");
const SHAPED: Readonly<Record<string, string>> = {
  "OpenAI and Anthropic": `sk-ant-api03-${body}`,
  "GitHub, classic": `ghp_${body.slice(0, 36)}`,
  "GitHub, fine-grained": `github_pat_${body.slice(0, 22)}_${body}`,
  Slack: "xoxb-123456789012-abcdefghij",
  AWS: "AKIAIOSFODNN7EXAMPLE",
  Google: `AIza${body.slice(0, 35)}`,
  GitLab: `glpat-${body.slice(0, 20)}`,
  npm: `npm_${body.slice(0, 36)}`,
  "Hugging Face": `hf_${body.slice(0, 34)}`,
  JWT: `eyJ${body}.eyJ${body}.${body}`,
  "a private key": pem("RSA PRIVATE KEY", base64Lines),
  "an encrypted private key": pem(
    "EC PRIVATE KEY",
    `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n${base64Lines}`,
  ),
};

describe("a text with the shape of a well-known key", () => {
  const redact = createRedactor({});

  it.each(Object.entries(SHAPED))("is redacted without its value being known: %s", (_name, key) => {
    expect(redact(`a ${key} b`)).toBe("a [redacted] b");
    expect(redact(`{"k":"${key}"}`)).toBe('{"k":"[redacted]"}');
    expect(redact(JSON.stringify({ k: `line\n${key}` }))).toBe(JSON.stringify({ k: "line\n[redacted]" }));
    expect(redact(`?a%3D${key}&b`)).toBe("?a%3D[redacted]&b");
  });

  it("is redacted from a request header, and the header's name stays", () => {
    expect(redact("authorization: bearer abcdefgh.12345678")).toBe("authorization: bearer [redacted]");
    expect(redact(`{"Authorization":"Basic dXNlcjpwYXNz"}`)).toBe(`{"Authorization":"Basic [redacted]"}`);
    expect(redact(`-H 'Authorization: token abcdefgh12'`)).toBe(`-H 'Authorization: token [redacted]'`);
  });

  it("is redacted even if the end of a private key was cut off", () => {
    const cut = pem("PRIVATE KEY", base64Lines).slice(0, 900);
    expect(redact(`${cut}`)).toBe("[redacted]");
  });

  it("does not include other random-looking text", () => {
    const ordinary = [
      "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
      "sha512-9qD3gVcUHRWFIZvYmlz0J8xwLdYcb4MmMxQwk4pAw9tdrS0UpgfeYcSd1e+Lf8PyfWJ0lnMhXNnwbHoLbjKUJA==",
      "class='sk-fading-circle-container-element'",
      "task-1234567890123456789012345",
      "npm_config_registry npm_package_version",
      "The bearer of this letter; authorization: none; token count 12345678",
      "-----BEGIN CERTIFICATE-----",
      "/home/me/projects/risk-sk-model/index.ts",
    ].join("\n");
    expect(redact(ordinary)).toBe(ordinary);
  });

  it("is not matched in already redacted text", () => {
    const once = createRedactor(planted)(Object.values(planted).join(" "));
    expect(createRedactor(planted)(once)).toBe(once);
    expect(redact("Authorization: Bearer [redacted:A_TOKEN]")).toBe("Authorization: Bearer [redacted:A_TOKEN]");
  });
});

describe("a text that arrives in chunks", () => {
  const env = Object.fromEntries(Object.entries(planted).slice(0, 8));
  const pieces = [...Object.values(env), ...Object.values(SHAPED), "Authorization: Bearer abcdefghij", " word ", "\n"];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 40 })
    .map((all) => all.join(" "));

  it("is redacted as if it had arrived at once, wherever it was cut", () => {
    const whole = createRedactor(env);
    const cuts = fc.array(fc.nat(), { maxLength: 12 });
    fc.assert(
      fc.property(text, cuts, fc.nat(70_000), (said, places, filler) => {
        const full = `${said}${"fill ".repeat(filler / 5)}${said}`;
        expect(redactInChunks(env, full, places)).toBe(whole(full));
      }),
      { numRuns: 60 },
    );
  });

  it("is emitted before its end, with a small buffer", () => {
    const stream = createRedactStream(env);
    let given = 0;
    for (let index = 0; index < 4_000; index += 1) given += stream.push("a line of text\n".repeat(20)).length;
    expect(given).toBeGreaterThan(900_000);
    expect(given + stream.end().length).toBe(1_200_000);
  });
});

function redactInChunks(env: Record<string, string>, text: string, places: readonly number[]): string {
  const stream = createRedactStream(env);
  const borders = [0, ...places.map((place) => place % (text.length + 1)), text.length].sort((a, b) => a - b);
  const parts = borders.slice(1).map((border, index) => stream.push(text.slice(borders[index], border)));
  return parts.join("") + stream.end();
}

describe("an adversarial text", () => {
  const redact = createRedactor(planted);
  const BEGIN = "-----BEGIN PRIVATE KEY-----";
  const openings = [
    "sk-",
    "sk-a",
    "eyJ",
    "eyJabcdefghijk.",
    "ghp_",
    BEGIN,
    `${BEGIN}\\n`,
    "Authorization: Bearer ",
    " ",
    "%3D",
    "a",
  ];
  it.each(openings)("of repeated %j takes time linear in its length", (opening) => {
    const text = opening.repeat(1_000_000 / opening.length);
    // Backtracking from every position would take 10^12 steps: minutes, not seconds.
    const began = cpuMs();
    redact(text);
    expect(cpuMs() - began).toBeLessThan(5_000);
  });
});

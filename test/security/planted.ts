import { createHash } from "node:crypto";

/** A secret, how it is recognized, and how programs print it. */
export type Planted = {
  readonly name: string;
  readonly value: string;
  /** The environment variable with the value; without one, only the secret's format identifies it. */
  readonly variable?: string;
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Looks random, is deterministic, and is not in any file. */
function noise(seed: string, length: number, letters = LETTERS): string {
  let text = "";
  for (let block = 0; text.length < length; block += 1) {
    const bytes = createHash("sha512").update(`${seed} ${block}`).digest();
    for (const byte of bytes) text += letters[byte % letters.length] ?? "";
  }
  return text.slice(0, length);
}

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

const jwt = (seed: string): string =>
  [base64url('{"alg":"HS256","typ":"JWT"}'), base64url(`{"sub":"${noise(seed, 12)}"}`), noise(seed, 43)].join(".");

function pem(kind: string, seed: string): string {
  const lines = Array.from({ length: 6 }, (_line, index) => noise(`${seed} ${index}`, 64));
  return [`-----BEGIN ${kind}PRIVATE KEY-----`, ...lines, `-----END ${kind}PRIVATE KEY-----`].join("\n");
}

/** Recognized by format alone: this machine has no record of them. */
const SHAPES: Readonly<Record<string, string>> = {
  openai: `sk-${noise("openai", 48)}`,
  "openai project": `sk-proj-${noise("project", 40)}1${noise("project2", 40)}`,
  "openai service": `sk-svcacct-${noise("service", 30)}7${noise("service2", 20)}`,
  anthropic: `sk-ant-api03-${noise("anthropic", 90)}-AA`,
  "anthropic admin": `sk-ant-admin01-${noise("admin", 80)}`,
  openrouter: `sk-or-v1-${noise("openrouter", 64, "0123456789abcdef")}`,
  github: `ghp_${noise("github", 36)}`,
  "github app": `ghs_${noise("app", 36)}`,
  "github oauth": `gho_${noise("oauth", 36)}`,
  "github fine": `github_pat_${noise("fine", 22)}_${noise("fine2", 59)}`,
  gitlab: `glpat-${noise("gitlab", 20)}`,
  slack: `xoxb-${noise("slack", 12, "0123456789")}-${noise("slack2", 24)}`,
  "slack user": `xoxp-${noise("user", 12, "0123456789")}-${noise("user2", 32)}`,
  aws: `AKIA${noise("aws", 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`,
  "aws session": `ASIA${noise("sts", 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`,
  google: `AIza${noise("google", 35)}`,
  npm: `npm_${noise("npm", 36)}`,
  "hugging face": `hf_${noise("hf", 34)}`,
  stripe: `sk_live_${noise("stripe", 24)}`,
  "stripe restricted": `rk_live_${noise("restricted", 24)}`,
  sendgrid: `SG.${noise("sendgrid", 22)}.${noise("sendgrid2", 43)}`,
  jwt: jwt("jwt"),
  "rsa key": pem("RSA ", "rsa"),
  "open key": pem("", "plain"),
  "ssh key": pem("OPENSSH ", "ssh"),
  "bearer header": `Authorization: Bearer ${noise("bearer", 40)}`,
  "basic header": `authorization: Basic ${Buffer.from(`ada:${noise("basic", 18)}`).toString("base64")}`,
  "address with a password": `postgres://ada:${noise("address", 20)}@db.example.org/main`,
  "address with a token": `https://x-access-token:${noise("clone", 30)}@git.example.org/a.git`,
  digitalocean: `dop_v1_${noise("do", 64, "0123456789abcdef")}`,
};

/** Recognized by value: each in a variable with a telling name, with letters that every encoding changes. */
const VARIABLES: Readonly<Record<string, string>> = {
  DB_PASSWORD: `p+ss/w"rd\\${noise("db", 12)}`,
  SESSION_SECRET: noise("session", 40),
  MY_API_KEY: noise("key", 24, "0123456789abcdef"),
  SERVICE_TOKEN: `tok ${noise("tok", 20)} & more`,
  SIGNING_KEY: `${noise("sign", 30)}==`,
  DEPLOY_PASSPHRASE: "correct horse battery staple",
  SMTP_PASS: `ünïcode-${noise("smtp", 10)}`,
  CLOUD_CREDENTIALS: `{"type":"service","key":"${noise("cloud", 30)}"}`,
  CI_JOB_TOKEN: noise("ci", 20),
  WEBHOOK_SECRET: `whsec${noise("hook", 32)}`,
  LINES_SECRET: `${noise("one", 20)}\n${noise("two", 20)}`,
  DATABASE_URL: `mysql://root:${noise("url", 16)}@127.0.0.1/x`,
  VAULT_TOKEN: `hvs.${noise("vault", 24)}`,
  SENTRY_AUTH_TOKEN: noise("sentry", 64, "0123456789abcdef"),
  TWILIO_AUTH_TOKEN: noise("twilio", 32, "0123456789abcdef"),
  CLIENT_SECRET: `a~${noise("client", 30)}`,
  ENCRYPTION_KEY: Buffer.from(noise("enc", 32)).toString("base64"),
  JENKINS_API_TOKEN: `11${noise("jenkins", 32, "0123456789abcdef")}`,
  OPENAI_API_KEY: noise("plain openai", 30),
  ANTHROPIC_API_KEY: noise("plain anthropic", 30),
  AZURE_PAT: noise("azure", 52, "abcdefghijklmnopqrstuvwxyz234567"),
  PGPASSWORD: noise("pg", 14),
  NPM_CONFIG_TOKEN: noise("npmrc", 36),
  HEROKU_API_KEY: `${noise("h1", 8, "0123456789abcdef")}-${noise("h2", 12, "0123456789abcdef")}`,
  REDIS_PASSWORD: `$${noise("redis", 12)}'`,
  LICENSE_KEY: `${noise("l1", 5)}-${noise("l2", 5)}-${noise("l3", 5)}`,
  TELEGRAM_BOT_TOKEN: `${noise("t1", 9, "0123456789")}:${noise("t2", 35)}`,
  PRIVATE_KEY_BODY: noise("body", 300),
  SHARED_SECRETS: noise("shared", 22),
  GPG_PASSPHRASE: `  ${noise("gpg", 18)}  `,
};

export const PLANTED: readonly Planted[] = [
  ...Object.entries(SHAPES).map(([name, value]) => ({ name, value })),
  ...Object.entries(VARIABLES).map(([variable, value]) => ({ name: variable, value, variable })),
];

export const ENVIRONMENT = VARIABLES;

/** Returns the secret part; the prefix in a header or an address is no secret. */
export function coresOf({ value }: Planted): readonly string[] {
  const inner = /(?:Bearer |Basic |:\/\/[^:@]*:)([^@\s]+)/.exec(value)?.[1];
  if (inner !== undefined) return [inner];
  const lines = value.split("\n").filter((line) => !line.startsWith("-----"));
  return lines.map((line) => line.trim()).filter((line) => line.length >= 8);
}

const toJsonText = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Returns the forms in which programs print a secret: plain, JSON, nested JSON, an address, base64. */
export function formsOf({ value, variable }: Planted): readonly string[] {
  const plain = [value, toJsonText(value)];
  // A secret that is not known by value must appear in its own format.
  if (variable === undefined) return plain;
  const bytes = Buffer.from(value);
  return [
    ...plain,
    toJsonText(toJsonText(value)),
    encodeURIComponent(value),
    bytes.toString("base64"),
    base64url(value),
  ];
}

/** Returns the strings that must not be found: each secret part, in each encoding. */
export function needles(planted: readonly Planted[] = PLANTED): ReadonlyMap<string, string> {
  return new Map(
    planted.flatMap((each) =>
      coresOf(each).flatMap((core) => {
        const bytes = Buffer.from(core);
        const encoded =
          each.variable === undefined ? [] : [encodeURIComponent(core), bytes.toString("base64").replace(/=+$/, "")];
        return [core, toJsonText(core), ...encoded].map((needle) => [needle, each.name] as const);
      }),
    ),
  );
}

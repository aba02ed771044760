import { commandLines } from "./config-lines.ts";
import type { Ailment } from "./cure.ts";

/**
 * What this machine's own settings say about how packages are reached, as the variables that say the same to a program
 * which does not see those settings.
 */
export type PackageSettings = {
  readonly node: Readonly<Record<string, string>>;
  readonly pip: Readonly<Record<string, string>>;
  readonly go: Readonly<Record<string, string>>;
  /** Set here too, and of no use in a line. */
  readonly withheld: readonly Withheld[];
};
export type Withheld = { readonly name: string; readonly why: string };

/** A set-up that could not get its packages: the settings that it lacks, from where they are at hand. */
export function reachCure({ words, setup, settings }: Ailment): readonly string[] | undefined {
  const why = setup && whyUnreached(words);
  if (!setup || !why) return undefined;
  const tool = toolOf(setup.run);
  const missing = Object.entries(settings?.[tool] ?? {}).filter(([name]) => !setup.run.includes(`${name}=`));
  if (missing.length > 0) {
    const set = missing.map(([name, value]) => `${name}=${shellWord(value)}`).join(" ");
    return [
      `${why.says(setup.run)}: a set-up has an environment of its own, without your settings. They are this machine's, so name them in .signalbox/config.local.yaml:`,
      ...commandLines({ setup: `export ${set} && ${setup.run}` }),
    ];
  }
  const named = VARIABLES[tool].filter((name) => why.about.test(name) && setup.run.includes(`${name}=`));
  const withheld = (settings?.withheld ?? []).filter(({ name }) => VARIABLES[tool].includes(name));
  return [inWords({ says: why.says(setup.run), lacks: why.lacks[tool], named, withheld })];
}

type Told = {
  readonly says: string;
  readonly lacks: string;
  readonly named: readonly string[];
  readonly withheld: readonly Withheld[];
};

/** Nothing that could be pasted is at hand: what is to be put where, and no line that only looks like one. */
function inWords({ says, lacks, named, withheld }: Told): string {
  const kept = withheld.map(({ name, why }) => `what you have as ${name} ${why}`);
  if (kept.length > 0) return `${says}; ${kept.join(", and ")}. Otherwise ${lacks}`;
  if (named.length > 0) return `${says}, although its line sets ${named.join(", ")}: what it is set to does not help`;
  return `${says}. Where this machine has a network that needs no settings, try again; where it needs some, ${lacks}`;
}

type Why = {
  says(run: string): string;
  readonly lacks: Readonly<Record<Tool, string>>;
  /** The variables that could have helped. */
  readonly about: RegExp;
};
type Tool = "node" | "pip" | "go";

function whyUnreached(words: string): Why | undefined {
  if (!/\bset-up failed\b/.test(words)) return undefined;
  const unfound = /No matching distribution found for ([^\s<>=!~;]+)/.exec(words)?.[1];
  if (UNKNOWN_AUTHORITY.test(words))
    return {
      says: (run) => `\`${run}\` meets a certificate that it does not know`,
      lacks: CERTIFICATES,
      about: /CERT/,
    };
  if (unfound !== undefined) return { says: () => `pip finds no ${unfound}`, lacks: INDEX, about: /INDEX|LINKS|PROXY/ };
  if (OFFLINE.test(words))
    return {
      says: (run) => `\`${run}\` needs the network and could not reach it`,
      lacks: PROXY,
      about: /PROXY|registry|INDEX/,
    };
  return undefined;
}

const OFFLINE =
  /EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ENETUNREACH|NameResolutionError|NewConnectionError|Temporary failure in name resolution|i\/o timeout|no such host|proxyconnect|Could not resolve host/;

const UNKNOWN_AUTHORITY =
  /SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF|CERTIFICATE_VERIFY_FAILED|x509: certificate signed by unknown authority/;

const named = (what: string, variable: string): string =>
  `put ${what} into the environment of its line, in the variable ${variable}`;
const FILE = "the path of the file with your network's certificates";
const CERTIFICATES: Readonly<Record<Tool, string>> = {
  node: named(FILE, "NODE_EXTRA_CA_CERTS"),
  pip: named(FILE, "PIP_CERT"),
  go: named(FILE, "SSL_CERT_FILE"),
};
const ADDRESS = "the address of your package index";
const INDEX: Readonly<Record<Tool, string>> = {
  node: named(ADDRESS, "npm_config_registry"),
  pip: named(ADDRESS, "PIP_INDEX_URL"),
  go: named(ADDRESS, "GOPROXY"),
};
const THROUGH = "the address of your proxy";
const PROXY: Readonly<Record<Tool, string>> = {
  node: named(THROUGH, "HTTPS_PROXY"),
  pip: named(THROUGH, "HTTPS_PROXY"),
  go: named(THROUGH, "HTTPS_PROXY"),
};

/** Every variable that speaks of it. */
const SHARED = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];
const VARIABLES: Readonly<Record<Tool, readonly string[]>> = {
  node: ["NODE_EXTRA_CA_CERTS", "npm_config_registry", ...SHARED],
  pip: ["PIP_CERT", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", ...SHARED],
  go: ["SSL_CERT_FILE", "GOPROXY", ...SHARED],
};

function toolOf(run: string): Tool {
  if (/\b(?:pip3?|uv|poetry|tox|venv)\b/.test(run)) return "pip";
  return /\bgo (?:mod|get|install|build)\b/.test(run) ? "go" : "node";
}

function shellWord(value: string): string {
  return /^[\w./:@%+,=~-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

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
  readonly withheld: readonly WithheldCure[];
};
export type WithheldCure = { readonly name: string; readonly why: string };

/** A set-up that could not get its packages: the settings that it lacks, from where they are at hand. */
export function reachCure({ words, setup, settings, given = [] }: Ailment): readonly string[] | undefined {
  const why = setup && whyUnreached(words);
  if (!setup || !why) return undefined;
  const tool = toolOf(setup.run);
  const isSet = (name: string): boolean => setup.run.includes(`${name}=`) || given.includes(name);
  const known = tool === "other" ? {} : (settings?.[tool] ?? {});
  const missing = Object.entries(known).filter(([name]) => !isSet(name));
  const withheld = (settings?.withheld ?? []).filter(({ name }) => VARIABLES[tool].includes(name) && !isSet(name));
  // A certificate opens no way to what cannot be reached.
  if (missing.some(([name]) => why.about.test(name))) {
    return [
      `${why.says(setup.run)}: a set-up has an environment of its own, without your settings. They are this machine's, so name them in .signalbox/config.local.yaml:`,
      ...["environment:", "  setup:", "    set:"],
      ...missing.map(([name, value]) => `      ${name}: ${JSON.stringify(value)}`),
      ...withheld.map((each) => `not in it: ${keptBack(each)}`),
    ];
  }
  const named = VARIABLES[tool].filter((name) => why.about.test(name) && isSet(name));
  return [inWords({ says: why.says(setup.run), lacks: why.lacks[tool], look: LOOKS[tool], named, withheld })];
}

/** That it was the network, where it was, and whose line needed it: nobody reads that out of a program's own errors. */
export function reachWord(run: string, output: string): string | undefined {
  return unreached(output)?.says(run);
}

type CureWords = {
  readonly says: string;
  readonly lacks: string;
  readonly look: string;
  readonly named: readonly string[];
  readonly withheld: readonly WithheldCure[];
};

/** Nothing that could be pasted is at hand: what is to be put where, and no line that only looks like one. */
function inWords({ says, lacks, look, named, withheld }: CureWords): string {
  const kept = withheld.map(keptBack);
  if (kept.length > 0) return `${says}; ${kept.join(", and ")}. Otherwise ${lacks}`;
  if (named.length > 0)
    return `${says}, although it has ${named.join(", ")}: what it is set to does not help. Where the same line works by hand, ${look} shows what else it has there; name that under environment.setup too`;
  return `${says}. Where this machine has a network that needs no settings, try again; where it needs some, ${lacks}`;
}

const keptBack = ({ name, why }: WithheldCure): string => `what you have as ${name} ${why}`;

type Why = {
  says(run: string): string;
  readonly lacks: Readonly<Record<Tool, string>>;
  /** The variables that could have helped. */
  readonly about: RegExp;
};
type Tool = "node" | "pip" | "go" | "other";

function whyUnreached(words: string): Why | undefined {
  return /\bset-up failed\b/.test(words) ? unreached(words) : undefined;
}

function unreached(words: string): Why | undefined {
  const unfound = /No matching distribution found for ([^\s<>=!~;]+)/.exec(words)?.[1];
  if (UNKNOWN_AUTHORITY.test(words))
    return {
      says: (run) => `\`${run}\` meets a certificate that it does not know`,
      lacks: CERTIFICATES,
      about: /CERT|TRUSTED/,
    };
  if (unfound !== undefined) return { says: () => `pip finds no ${unfound}`, lacks: INDEX, about: /INDEX|LINKS|PROXY/ };
  if (OFFLINE.test(words))
    return {
      says: (run) => `\`${run}\` needs the network and could not reach it`,
      lacks: PROXY,
      about: /PROXY|registry|INDEX|LINKS/,
    };
  return undefined;
}

const OFFLINE =
  /EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|NameResolutionError|NewConnectionError|Temporary failure in name resolution|i\/o timeout|no such host|proxyconnect|Could(?:n't| not) resolve host|Could not transfer artifact|UnknownHostException|spurious network error/;

const UNKNOWN_AUTHORITY =
  /SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF|CERT_UNTRUSTED|CERTIFICATE_VERIFY_FAILED|self-signed certificate|unable to get local issuer certificate|x509: certificate signed by unknown authority/;

const named = (what: string, variable: string): string =>
  `name ${what} as ${variable} under environment.setup.set in .signalbox/config.local.yaml`;
const FILE = "the path of the file with your network's certificates";
const CERTIFICATES: Readonly<Record<Tool, string>> = {
  node: named(FILE, "NODE_EXTRA_CA_CERTS"),
  pip: named(FILE, "PIP_CERT"),
  go: named(FILE, "SSL_CERT_FILE"),
  other: named(FILE, "SSL_CERT_FILE"),
};
const ADDRESS = "the address of your package index";
const INDEX: Readonly<Record<Tool, string>> = {
  node: named(ADDRESS, "npm_config_registry"),
  pip: named(ADDRESS, "PIP_INDEX_URL"),
  go: named(ADDRESS, "GOPROXY"),
  other: named("the address of your proxy", "HTTPS_PROXY"),
};
const THROUGH = "the address of your proxy";
const PROXY: Readonly<Record<Tool, string>> = {
  node: named(THROUGH, "HTTPS_PROXY"),
  pip: named(THROUGH, "HTTPS_PROXY"),
  go: named(THROUGH, "HTTPS_PROXY"),
  other: named(THROUGH, "HTTPS_PROXY"),
};

/** Every variable that speaks of it. */
const SHARED = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];
const VARIABLES: Readonly<Record<Tool, readonly string[]>> = {
  node: ["NODE_EXTRA_CA_CERTS", "npm_config_registry", ...SHARED],
  pip: [
    ...["CERT", "INDEX_URL", "EXTRA_INDEX_URL", "FIND_LINKS", "NO_INDEX", "TRUSTED_HOST", "PROXY"].map(
      (name) => `PIP_${name}`,
    ),
    ...SHARED,
  ],
  go: ["SSL_CERT_FILE", "GOPROXY", ...SHARED],
  other: ["SSL_CERT_FILE", ...SHARED],
};

/** What shows a program's own settings. */
const LOOKS: Readonly<Record<Tool, string>> = {
  node: "`npm config list`",
  pip: "`pip config list`",
  go: "`go env`",
  other: "`env`",
};

function toolOf(run: string): Tool {
  if (/\b(?:pip3?|uv|poetry|tox|venv)\b/.test(run)) return "pip";
  if (/\bgo (?:mod|get|install|build)\b/.test(run)) return "go";
  return /\b(?:npm|pnpm|yarn|bun|node)\b/.test(run) ? "node" : "other";
}

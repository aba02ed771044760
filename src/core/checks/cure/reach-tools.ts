/** Programs that fetch packages, grouped by the settings that they read. */
export type ReachTool = "node" | "uv" | "pip" | "go" | "java" | "other";

type Reach = {
  /** Missing setting, and its variable. */
  readonly certificates: string;
  readonly index: string;
  readonly proxy: string;
  /** All variables for it. */
  readonly variables: readonly string[];
  /** Command that shows the program's own settings. */
  readonly look: string;
};

const named = (what: string, variable: string): string =>
  `name ${what} as ${variable} in environment.setup.set in .signalbox/config.local.yaml`;
const FILE = "the path of the file with your network's certificates";
const INDEX = "the address of your package index";
const ADDRESS = "the address of your proxy";
const SHARED = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];
const PIP = ["CERT", "INDEX_URL", "EXTRA_INDEX_URL", "FIND_LINKS", "NO_INDEX", "TRUSTED_HOST", "PROXY"];

export const REACH: Readonly<Record<ReachTool, Reach>> = {
  node: {
    certificates: named(FILE, "NODE_EXTRA_CA_CERTS"),
    index: named(INDEX, "npm_config_registry"),
    proxy: named(ADDRESS, "HTTPS_PROXY"),
    variables: ["NODE_EXTRA_CA_CERTS", "npm_config_registry", ...SHARED],
    look: "`npm config list`",
  },
  uv: {
    certificates: named(FILE, "SSL_CERT_FILE"),
    index: named(INDEX, "UV_DEFAULT_INDEX"),
    proxy: named(ADDRESS, "HTTPS_PROXY"),
    variables: ["SSL_CERT_FILE", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS", ...SHARED],
    look: "`env`",
  },
  pip: {
    certificates: named(FILE, "PIP_CERT"),
    index: named(INDEX, "PIP_INDEX_URL"),
    proxy: named(ADDRESS, "HTTPS_PROXY"),
    variables: [...PIP.map((name) => `PIP_${name}`), ...SHARED],
    look: "`pip config list`",
  },
  go: {
    certificates: named(FILE, "SSL_CERT_FILE"),
    index: named(INDEX, "GOPROXY"),
    proxy: named(ADDRESS, "HTTPS_PROXY"),
    variables: ["SSL_CERT_FILE", "GOPROXY", ...SHARED],
    look: "`go env`",
  },
  // Reads neither the usual variables nor the system's files.
  java: {
    certificates: named("a store with your network's certificates (-Djavax.net.ssl.trustStore)", "JAVA_TOOL_OPTIONS"),
    index: named("the host and port of your proxy (-Dhttps.proxyHost, -Dhttps.proxyPort)", "JAVA_TOOL_OPTIONS"),
    proxy: named("the host and port of your proxy (-Dhttps.proxyHost, -Dhttps.proxyPort)", "JAVA_TOOL_OPTIONS"),
    variables: ["JAVA_TOOL_OPTIONS"],
    look: "`env`",
  },
  other: {
    certificates: named(FILE, "SSL_CERT_FILE"),
    index: named(ADDRESS, "HTTPS_PROXY"),
    proxy: named(ADDRESS, "HTTPS_PROXY"),
    variables: ["SSL_CERT_FILE", ...SHARED],
    look: "`env`",
  },
};

type Sign = { readonly tool: ReachTool; readonly starts: RegExp; readonly says: RegExp };

/** Patterns of a line that starts the program, and of its output. */
const SIGNS: readonly Sign[] = [
  { tool: "uv", starts: /\buv (?:sync|pip|run|venv)\b/, says: /Failed to fetch: `|\buv\b/ },
  {
    tool: "pip",
    starts: /\b(?:pip3?|poetry|pdm|tox|nox|venv)\b/,
    says: /No matching distribution|NewConnectionError|NameResolutionError|CERTIFICATE_VERIFY_FAILED|\bpip\b/,
  },
  { tool: "go", starts: /\bgo (?:mod|get|install|build)\b/, says: /(?:^|\s)go: / },
  {
    tool: "java",
    starts: /(?:^|[\s/(])(?:mvnw?|gradlew?)\b/,
    says: /\[(?:ERROR|FATAL)\]|Could not transfer artifact|UnknownHostException|PKIX path/,
  },
  { tool: "node", starts: /\b(?:npm|pnpm|yarn|bun|node)\b/, says: /\bnpm (?:error|ERR!)|ERR_PNPM|YN\d{4}|_CERT/ },
];

/** Returns which of the programs in the line produced this output. */
export function reachToolOf(run: string, words: string): ReachTool {
  const started = SIGNS.filter(({ starts }) => starts.test(run));
  const speaking = started.length > 1 ? started.find(({ says }) => says.test(words)) : undefined;
  return (speaking ?? started[0])?.tool ?? "other";
}

/** Programs that fetch packages, grouped by the settings that they read. */
export type ReachTool = "node" | "uv" | "pip" | "go" | "java" | "other";

type ReachSettings = {
  /** Missing setting, and its variable. */
  readonly certificates: string;
  readonly index: string;
  readonly proxy: string;
  /** All variables for it. */
  readonly variables: readonly string[];
  /** Command that shows the program's own settings. */
  readonly look: string;
};

const formatSettingHint = (what: string, variable: string): string =>
  `name ${what} as ${variable} in environment.setup.set in .signalbox/config.local.yaml`;
const FILE = "the path of the file with your network's certificates";
const INDEX = "the address of your package index";
const ADDRESS = "the address of your proxy";
const SHARED = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];
const PIP = ["CERT", "INDEX_URL", "EXTRA_INDEX_URL", "FIND_LINKS", "NO_INDEX", "TRUSTED_HOST", "PROXY"];

export const REACH: Readonly<Record<ReachTool, ReachSettings>> = {
  node: {
    certificates: formatSettingHint(FILE, "NODE_EXTRA_CA_CERTS"),
    index: formatSettingHint(INDEX, "npm_config_registry"),
    proxy: formatSettingHint(ADDRESS, "HTTPS_PROXY"),
    variables: ["NODE_EXTRA_CA_CERTS", "npm_config_registry", ...SHARED],
    look: "`npm config list`",
  },
  uv: {
    certificates: formatSettingHint(FILE, "SSL_CERT_FILE"),
    index: formatSettingHint(INDEX, "UV_DEFAULT_INDEX"),
    proxy: formatSettingHint(ADDRESS, "HTTPS_PROXY"),
    variables: ["SSL_CERT_FILE", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_FIND_LINKS", ...SHARED],
    look: "`env`",
  },
  pip: {
    certificates: formatSettingHint(FILE, "PIP_CERT"),
    index: formatSettingHint(INDEX, "PIP_INDEX_URL"),
    proxy: formatSettingHint(ADDRESS, "HTTPS_PROXY"),
    variables: [...PIP.map((name) => `PIP_${name}`), ...SHARED],
    look: "`pip config list`",
  },
  go: {
    certificates: formatSettingHint(FILE, "SSL_CERT_FILE"),
    index: formatSettingHint(INDEX, "GOPROXY"),
    proxy: formatSettingHint(ADDRESS, "HTTPS_PROXY"),
    variables: ["SSL_CERT_FILE", "GOPROXY", ...SHARED],
    look: "`go env`",
  },
  // Reads neither the usual variables nor the system's files.
  java: {
    certificates: formatSettingHint(
      "a store with your network's certificates (-Djavax.net.ssl.trustStore)",
      "JAVA_TOOL_OPTIONS",
    ),
    index: formatSettingHint(
      "the host and port of your proxy (-Dhttps.proxyHost, -Dhttps.proxyPort)",
      "JAVA_TOOL_OPTIONS",
    ),
    proxy: formatSettingHint(
      "the host and port of your proxy (-Dhttps.proxyHost, -Dhttps.proxyPort)",
      "JAVA_TOOL_OPTIONS",
    ),
    variables: ["JAVA_TOOL_OPTIONS"],
    look: "`env`",
  },
  other: {
    certificates: formatSettingHint(FILE, "SSL_CERT_FILE"),
    index: formatSettingHint(ADDRESS, "HTTPS_PROXY"),
    proxy: formatSettingHint(ADDRESS, "HTTPS_PROXY"),
    variables: ["SSL_CERT_FILE", ...SHARED],
    look: "`env`",
  },
};

type ReachToolPattern = { readonly tool: ReachTool; readonly starts: RegExp; readonly says: RegExp };

/** Patterns of a line that starts the program, and of its output. */
const SIGNS: readonly ReachToolPattern[] = [
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
export function findReachTool(run: string, words: string): ReachTool {
  const started = SIGNS.filter(({ starts }) => starts.test(run));
  const speaking = started.length > 1 ? started.find(({ says }) => says.test(words)) : undefined;
  return (speaking ?? started[0])?.tool ?? "other";
}

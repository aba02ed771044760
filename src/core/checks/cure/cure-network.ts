import { STOOD_STILL } from "../outcome/not-run.ts";
import type { FailedCommandFacts } from "./cure.ts";
import { findReachTool, REACH } from "./reach-tools.ts";

/**
 * This machine's settings for reaching packages, as the equivalent variables for a program that cannot read those
 * settings.
 */
export type PackageSettings = {
  readonly node: Readonly<Record<string, string>>;
  readonly pip: Readonly<Record<string, string>>;
  /** Settings of pip as variables of uv, which does not read those of pip. */
  readonly uv: Readonly<Record<string, string>>;
  readonly go: Readonly<Record<string, string>>;
  /** Packages that pip does not find with any of them. */
  readonly unfound?: readonly UnfoundPackage[];
  /** Settings that exist here but cannot be used in a line. */
  readonly withheld: readonly WithheldCure[];
};
/** Package as requested, and the versions that are available instead. */
export type UnfoundPackage = { readonly wanted: string; readonly versions: readonly string[] };
export type WithheldCure = { readonly name: string; readonly why: string };

/**
 * Proposes the missing settings for a set-up that could not fetch its packages, with the values of this machine if it
 * has them.
 */
export function proposeNetworkFix({
  words,
  setup,
  settings,
  given = [],
}: FailedCommandFacts): readonly string[] | undefined {
  const why = setup && findSetupNetworkProblem(words);
  if (!setup || !why) return undefined;
  const nowhere = settings?.unfound?.find(({ wanted }) => parseUnfoundPackages(words).includes(wanted));
  if (nowhere !== undefined) return [explainUnfoundPackage(nowhere, words)];
  const tool = findReachTool(setup.run, words);
  const isSet = (name: string): boolean => setup.run.includes(`${name}=`) || given.includes(name);
  const known = tool === "other" || tool === "java" ? {} : (settings?.[tool] ?? {});
  const missing = Object.entries(known).filter(([name]) => !isSet(name));
  const withheld = (settings?.withheld ?? []).filter(
    ({ name }) => REACH[tool].variables.includes(name) && !isSet(name),
  );
  // A certificate does not help if the host is unreachable.
  if (missing.some(([name]) => why.about.test(name))) {
    return [
      `${why.says(setup.run)}: a set-up has its own environment, without your settings. They belong to this machine, so add them to .signalbox/config.local.yaml:`,
      ...["environment:", "  setup:", "    set:"],
      ...missing.map(([name, value]) => `      ${name}: ${JSON.stringify(value)}`),
      ...withheld.map((each) => `not included: ${formatWithheld(each)}`),
    ];
  }
  const named = REACH[tool].variables.filter((name) => why.about.test(name) && isSet(name));
  return [
    explainMissingSetting({
      says: why.says(setup.run),
      lacks: REACH[tool][why.lacks],
      look: REACH[tool].look,
      named,
      withheld,
    }),
  ];
}

/** Extracts the requirements that pip did not find: `flit_core<4`. */
export function parseUnfoundPackages(words: string): readonly string[] {
  return [...words.matchAll(/No matching distribution found for ([^\s;]+)/g)].map(([, name]) => name ?? "");
}

/**
 * Explains a package that no setting of the user provides. Build requirements are requested by pip itself and are in no
 * list of packages.
 */
function explainUnfoundPackage({ wanted, versions }: UnfoundPackage, words: string): string {
  const builds = /(?:Getting requirements to build|Installing build dependencies|pip subprocess to install build)/;
  const role = builds.test(words)
    ? `, which builds this project (build-system in pyproject.toml), so nothing can be installed with \`-e .\``
    : "";
  const only = versions.length > 0 ? `only ${versions.slice(0, 5).join(", ")}` : "none either";
  return `pip cannot find ${wanted}${role}, and with your own settings it finds ${only}: publish it to an index that pip uses, or configure a setup line that does not need it`;
}

/**
 * Explains that the network failed, at which host, and which line needed it. A program's own errors do not make that
 * obvious.
 */
export function explainNetworkProblem(run: string, output: string): string | undefined {
  return findNetworkProblem(output)?.says(run);
}

type SettingExplanation = {
  readonly says: string;
  readonly lacks: string;
  readonly look: string;
  readonly named: readonly string[];
  readonly withheld: readonly WithheldCure[];
};

/** Explains what to configure if no value is known. It prints no line that only looks usable. */
function explainMissingSetting({ says, lacks, look, named, withheld }: SettingExplanation): string {
  const kept = withheld.map(formatWithheld);
  if (kept.length > 0) return `${says}; ${kept.join(", and ")}. Otherwise ${lacks}`;
  if (named.length > 0)
    return `${says}, although it has ${named.join(", ")}, so these values do not work. If the same line works by hand, ${look} shows its other settings; add those to environment.setup too`;
  return `${says}. If this machine's network needs no settings, try again. Otherwise ${lacks}`;
}

const formatWithheld = ({ name, why }: WithheldCure): string => `your value of ${name} ${why}`;

type NetworkProblem = {
  says(run: string): string;
  readonly lacks: "certificates" | "index" | "proxy";
  /** Variables that could have helped. */
  readonly about: RegExp;
};

function findSetupNetworkProblem(words: string): NetworkProblem | undefined {
  return /\bset-up failed\b/.test(words) ? findNetworkProblem(words) : undefined;
}

function findNetworkProblem(words: string): NetworkProblem | undefined {
  const unfound = /No matching distribution found for ([^\s<>=!~;]+)/.exec(words)?.[1];
  if (UNKNOWN_AUTHORITY.test(words))
    return {
      says: (run) => `\`${run}\` received a certificate that it does not trust`,
      lacks: "certificates",
      about: /CERT|TRUSTED|JAVA/,
    };
  if (unfound !== undefined)
    return { says: () => `pip cannot find ${unfound}`, lacks: "index", about: /INDEX|LINKS|PROXY/ };
  if (OFFLINE.test(words))
    return {
      says: (run) => `\`${run}\` needs the network and could not reach it`,
      lacks: "proxy",
      about: /PROXY|registry|INDEX|LINKS|JAVA/,
    };
  if (words.includes(STOOD_STILL))
    return {
      says: (run) => `\`${run}\` waited without progress, most likely for the network`,
      lacks: "proxy",
      about: /PROXY|registry|INDEX|LINKS|JAVA|CERT|TRUSTED/,
    };
  return undefined;
}

const OFFLINE =
  /EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|NameResolutionError|NewConnectionError|Temporary failure in name resolution|i\/o timeout|no such host|proxyconnect|Could(?:n't| not) resolve host|Could not transfer artifact|UnknownHostException|spurious network error/;

const UNKNOWN_AUTHORITY =
  /SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF|CERT_UNTRUSTED|CERTIFICATE_VERIFY_FAILED|self-signed certificate|unable to get local issuer certificate|x509: certificate signed by unknown authority|invalid peer certificate|PKIX path building failed/;

import { STOOD_STILL } from "../outcome/not-run.ts";
import type { Ailment } from "./cure.ts";
import { REACH, reachToolOf } from "./reach-tools.ts";

/**
 * What this machine's own settings say about how packages are reached, as the variables that say the same to a program
 * which does not see those settings.
 */
export type PackageSettings = {
  readonly node: Readonly<Record<string, string>>;
  readonly pip: Readonly<Record<string, string>>;
  /** What pip is told, in uv's own words: it does not heed those of pip. */
  readonly uv: Readonly<Record<string, string>>;
  readonly go: Readonly<Record<string, string>>;
  /** What pip finds with none of them. */
  readonly unfound?: readonly UnfoundPackage[];
  /** Set here too, and of no use in a line. */
  readonly withheld: readonly WithheldCure[];
};
/** As it was asked for, and the versions that are there instead. */
export type UnfoundPackage = { readonly wanted: string; readonly versions: readonly string[] };
export type WithheldCure = { readonly name: string; readonly why: string };

/** A set-up that could not get its packages: the settings that it lacks, from where they are at hand. */
export function reachCure({ words, setup, settings, given = [] }: Ailment): readonly string[] | undefined {
  const why = setup && whyUnreached(words);
  if (!setup || !why) return undefined;
  const nowhere = settings?.unfound?.find(({ wanted }) => unfoundIn(words).includes(wanted));
  if (nowhere !== undefined) return [notHere(nowhere, words)];
  const tool = reachToolOf(setup.run, words);
  const isSet = (name: string): boolean => setup.run.includes(`${name}=`) || given.includes(name);
  const known = tool === "other" || tool === "java" ? {} : (settings?.[tool] ?? {});
  const missing = Object.entries(known).filter(([name]) => !isSet(name));
  const withheld = (settings?.withheld ?? []).filter(
    ({ name }) => REACH[tool].variables.includes(name) && !isSet(name),
  );
  // A certificate opens no way to what cannot be reached.
  if (missing.some(([name]) => why.about.test(name))) {
    return [
      `${why.says(setup.run)}: a set-up has an environment of its own, without your settings. They are this machine's, so name them in .signalbox/config.local.yaml:`,
      ...["environment:", "  setup:", "    set:"],
      ...missing.map(([name, value]) => `      ${name}: ${JSON.stringify(value)}`),
      ...withheld.map((each) => `not in it: ${keptBack(each)}`),
    ];
  }
  const named = REACH[tool].variables.filter((name) => why.about.test(name) && isSet(name));
  return [
    inWords({ says: why.says(setup.run), lacks: REACH[tool][why.lacks], look: REACH[tool].look, named, withheld }),
  ];
}

/** The packages that pip did not find, as they were asked for: `flit_core<4`. */
export function unfoundIn(words: string): readonly string[] {
  return [...words.matchAll(/No matching distribution found for ([^\s;]+)/g)].map(([, name]) => name ?? "");
}

/** What no setting of this person's changes. What builds a project is asked for by pip itself, and in no list of packages. */
function notHere({ wanted, versions }: UnfoundPackage, words: string): string {
  const builds = /(?:Getting requirements to build|Installing build dependencies|pip subprocess to install build)/;
  const role = builds.test(words)
    ? `, which builds this project (build-system in pyproject.toml), so nothing can be installed with \`-e .\``
    : "";
  const only = versions.length > 0 ? `only ${versions.slice(0, 5).join(", ")}` : "none either";
  return `pip finds no ${wanted}${role}, and with your own settings it finds ${only}: put it where pip looks, or configure a line for setup that does without it`;
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
  readonly lacks: "certificates" | "index" | "proxy";
  /** The variables that could have helped. */
  readonly about: RegExp;
};

function whyUnreached(words: string): Why | undefined {
  return /\bset-up failed\b/.test(words) ? unreached(words) : undefined;
}

function unreached(words: string): Why | undefined {
  const unfound = /No matching distribution found for ([^\s<>=!~;]+)/.exec(words)?.[1];
  if (UNKNOWN_AUTHORITY.test(words))
    return {
      says: (run) => `\`${run}\` meets a certificate that it does not know`,
      lacks: "certificates",
      about: /CERT|TRUSTED|JAVA/,
    };
  if (unfound !== undefined)
    return { says: () => `pip finds no ${unfound}`, lacks: "index", about: /INDEX|LINKS|PROXY/ };
  if (OFFLINE.test(words))
    return {
      says: (run) => `\`${run}\` needs the network and could not reach it`,
      lacks: "proxy",
      about: /PROXY|registry|INDEX|LINKS|JAVA/,
    };
  if (words.includes(STOOD_STILL))
    return {
      says: (run) => `\`${run}\` waited for something that did not come, most likely from the network`,
      lacks: "proxy",
      about: /PROXY|registry|INDEX|LINKS|JAVA|CERT|TRUSTED/,
    };
  return undefined;
}

const OFFLINE =
  /EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|NameResolutionError|NewConnectionError|Temporary failure in name resolution|i\/o timeout|no such host|proxyconnect|Could(?:n't| not) resolve host|Could not transfer artifact|UnknownHostException|spurious network error/;

const UNKNOWN_AUTHORITY =
  /SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF|CERT_UNTRUSTED|CERTIFICATE_VERIFY_FAILED|self-signed certificate|unable to get local issuer certificate|x509: certificate signed by unknown authority|invalid peer certificate|PKIX path building failed/;

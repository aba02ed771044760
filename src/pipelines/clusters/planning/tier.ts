import { matchesAny } from "../../../core/checks/guard/glob.ts";

export type Tier = "Full" | "Standard" | "Lightweight";

/**
 * Words in paths where a mistake is expensive: access, data, money, administration, network, public interfaces, core.
 */
const FULL_WORDS = {
  auth: ["auth", "authentication", "authorization", "login", "permissions"],
  data: ["data", "db", "database", "migration", "migrations"],
  payment: ["payment", "payments", "billing"],
  admin: ["admin"],
  network: ["net", "network", "http"],
  "public API": ["api", "public-api"],
  core: ["core"],
} as const;

/** Matches a folder of that name, or a file whose name starts with it. */
const FULL: readonly string[] = Object.values(FULL_WORDS)
  .flat()
  .flatMap((word) => [`**/${word}/**`, `**/${word}.*`, `**/${word}[-_]*`]);

const LIGHT: readonly string[] = [
  "**/*.{md,mdx,rst,txt,adoc}",
  "docs/**",
  "**/*.{json,jsonc,yaml,yml,toml,ini,cfg,lock}",
  "**/.*",
  ".github/**",
  "**/{LICENSE,CHANGELOG,AUTHORS}*",
  "**/{package-lock.json,pnpm-lock.yaml,yarn.lock,go.sum}",
];

/**
 * Returns the review tier. One sensitive file is enough for `Full`.
 * @rule C-15 (policy) The changed paths decide the review tier: one sensitive path → Full; only docs, config and lock
 *   files → Lightweight; else Standard.
 */
export function selectTier(changed: readonly string[]): Tier {
  const isLight = (path: string): boolean => matchesAny(path, LIGHT);
  if (changed.some((path) => matchesAny(path.toLowerCase(), FULL))) return "Full";
  return changed.every(isLight) ? "Lightweight" : "Standard";
}

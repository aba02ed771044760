import { matchesAny } from "../../../core/checks/guard/glob.ts";

export type Tier = "Full" | "Standard" | "Lightweight";

/** Where a mistake is expensive: who may do what, data, money, administration, the network, public interfaces, the core. */
const FULL_WORDS = {
  auth: ["auth", "authentication", "authorization", "login", "permissions"],
  data: ["data", "db", "database", "migration", "migrations"],
  payment: ["payment", "payments", "billing"],
  admin: ["admin"],
  network: ["net", "network", "http"],
  "public API": ["api", "public-api"],
  core: ["core"],
} as const;

/** A folder of that name, or a file whose name starts with it. */
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
 * How closely a change is reviewed: one sensitive file decides for all of them.
 * @rule C-15 (policy) How closely a change is reviewed follows from the paths that it touches.
 */
export function tierOf(changed: readonly string[]): Tier {
  const isLight = (path: string): boolean => matchesAny(path, LIGHT);
  if (changed.some((path) => matchesAny(path.toLowerCase(), FULL))) return "Full";
  return changed.every(isLight) ? "Lightweight" : "Standard";
}

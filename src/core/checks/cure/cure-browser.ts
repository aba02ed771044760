import { formatConfigCommands } from "../tamper/config-lines.ts";
import type { FailedCommandFacts } from "./cure.ts";

/** Inside the checkout, because a check has an empty home and no network. */
const FOLDER = "$PWD/.tools/browsers";

type BrowserTool = {
  /** Pattern of the message for a missing browser. */
  readonly says: RegExp;
  /** Variable that names the folder of its browsers. */
  readonly variable: string;
  readonly install: string;
};

const TOOLS: readonly BrowserTool[] = [
  {
    says: /browserType\.launch: Executable doesn't exist/,
    variable: "PLAYWRIGHT_BROWSERS_PATH",
    install: "playwright install",
  },
  { says: /Could not find Chrome \(ver\./, variable: "PUPPETEER_CACHE_DIR", install: "puppeteer browsers install" },
  { says: /Cypress binary is missing/, variable: "CYPRESS_CACHE_FOLDER", install: "cypress install" },
];

/**
 * Proposes a fix for tests whose browser is in a home folder: the set-up fetches it into the checkout, and a variable
 * tells the check where it is.
 */
export function proposeBrowserFix({ command, words, setup }: FailedCommandFacts): readonly string[] | undefined {
  const tool = TOOLS.find(({ says }) => says.test(words));
  if (!tool || words.includes("set-up failed")) return undefined;
  const given = `${tool.variable}=${FOLDER}`;
  const fetch = `${given} npx --no-install ${tool.install}`;
  const lines = {
    setup: setup?.run.includes(fetch) ? setup.run : [...(setup ? [setup.run] : []), fetch].join(" && "),
    [command.name]: command.run.includes(given) ? command.run : `export ${given} && ${command.run}`,
  };
  return [
    "its tests need a browser, which a clean checkout does not have; let the set-up fetch it (in a workspace by `npx` in the folder of the package that has it):",
    ...formatConfigCommands(lines),
  ];
}

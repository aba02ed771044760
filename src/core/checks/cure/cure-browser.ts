import { commandLines } from "../tamper/config-lines.ts";
import type { Ailment } from "./cure.ts";

/** Inside the checkout: a check's home is empty each time, and it has no network. */
const FOLDER = "$PWD/.tools/browsers";

type BrowserTool = {
  /** How it says that its browser is not there. */
  readonly says: RegExp;
  /** The variable that names the folder of its browsers. */
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

/** Tests whose browser lies in a home: the set-up fetches it into the checkout, and the check is told where. */
export function browserCure({ command, words, setup }: Ailment): readonly string[] | undefined {
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
    ...commandLines(lines),
  ];
}

import type { Mandate, Prompt, WorkType } from "../contracts.ts";

/** @rule T-01 (declaration) The request contains a ticket id (`[A-Z]+-\d+`); otherwise the run stops. */
const TICKET = /\b[A-Z]+-\d+\b/g;
/** Standards and formats with the same spelling as a ticket id. */
const STANDARD =
  /^(?:UTF|UCS|ISO|SHA|MD|HTTP|TLS|SSL|AES|RSA|DES|EC|ECMA|ES|HS|RS|PS|ED|CRC|BASE|RFC|PEP|JSR|JEP|CVE|CWE|IEEE|ANSI|DIN|EN|IEC|ITU|ASCII|CP|WINDOWS|LATIN|IPV|TCP|UDP|USB|X|H|GPT|PKCS|FIPS|WCAG|OAUTH)-\d+$/;
const VAGUE = /\b(somewhere|something|maybe|probably)\b/i;
const WORDS: Readonly<Record<string, WorkType>> = {
  fix: "fix",
  bug: "fix",
  defect: "fix",
  feature: "feature",
  add: "feature",
  implement: "feature",
  create: "feature",
  refactor: "chore",
  cleanup: "chore",
  chore: "chore",
  update: "chore",
  improve: "chore",
};
/** Words that do not name a tool, as in "with a table". */
const NO_TOOL =
  "(?!(?:an?|the|its?|this|that|these|those|their|our|your|my|his|her|no|not|all|any|some|each|every|one|two|three|" +
  "more|less|fewer|new|only|and|or|of|to|in|for|null|undefined|nothing|nan|true|false|empty|zero|none|success|care|respect|" +
  "regard|what|which|whatever|whom|how|them|him|us|me|you|both|other|another|same|as|here|there|e\\.g|i\\.e|\\w*(?:[Ee]rror|[Ee]xception)s?|\\d+)\\b)";
const WORD = "[\\w@](?:[\\w./@+-]*\\w)?";
/** A word that looks like a name: in backticks, or with a capital, a digit or a sign. */
const NAME = `(?:\`[^\`\\n]+\`|(?=[\\w./@+-]*(?:[A-Z\\d@_]|\\.\\w))${WORD}(?:\\s+[A-Z][\\w./-]*\\w)*)`;
/** Known tools with lower-case names. */
const KNOWN =
  "(?:npm|npx|pnpm|yarn|bun|deno|vite|vitest|jest|mocha|playwright|cypress|puppeteer|selenium|storybook|eslint|prettier|" +
  "biome|webpack|rollup|esbuild|typescript|docker|podman|kubectl|terraform|curl|pytest|ruff|mypy|cargo|gradle|maven|" +
  "redis|postgres|sqlite|zod)\\b(?!-)";
/** Excludes adjectives: "use ripgrep for it" names a tool, "use optional chaining" does not. */
const ALONE =
  "(?=\\s*(?:$|[.:!?()\\]]|\\b(?:for|to|as|in|on|at|when|where|while|instead|here|or|if|only|not|rather|from|by|with|so|because|please)\\b))";
const MANDATES = new RegExp(
  `\\b(?:MUST\\s+use\\s+${NO_TOOL}(?:${NAME}|${WORD})` +
    `|(?:[Uu]se|[Uu]sing|[Ll]everage|[Ii]ntegrate\\s+with)\\s+${NO_TOOL}(?:${NAME}|${KNOWN}|${WORD}${ALONE})` +
    // "with care" and "with what was there" rarely name a tool, and "made with call()" is code.
    `|[Ww]ith\\s+(?![\\w.$]+\\()${NO_TOOL}(?:${NAME}|${KNOWN}|(?=\\w+-)${WORD}${ALONE}))`,
  "g",
);
/**
 * @rule T-35 (declaration) Six phrases mark a mandate (`MUST use`, `use X`, `with X`, `using X`, `leverage X`,
 *   `integrate with X`); its text goes verbatim to the planner or the developer.
 */
const PLANNING = /\b(analyze|inspect|investigate|research|diagnose|see the page)\b/i;
const BUILDING = /\b(implement|build|fix|create|deploy|add|write|refactor|update|improve)\b/i;
const CLAUSE = /[,;]|\b(?:and|then|but)\b/;
const SLUG_WORDS = 3;
const CRITERION_WORDS = 3;

export function findTickets(request: string): readonly string[] {
  return [...new Set(request.match(TICKET) ?? [])].filter((id) => !STANDARD.test(id));
}

/**
 * Returns the ticket that a request begins with; others are mentioned in passing. A list of several at the beginning is
 * ambiguous.
 */
export function findLeadingTicket(request: string): string | undefined {
  const id = AHEAD.exec(request)?.[1];
  return id === undefined || STANDARD.test(id) ? undefined : id;
}

const AHEAD =
  /^\s*([A-Z]+-\d+)(?:\s*:|(?=[\s–—-])(?![\s–—-]*(?:(?:and|or|to|with|through|plus|[&+/,])\s*)?[A-Z]+-\d+\b))/;

/**
 * Returns the type by the first type word: "Add a bug tracker" is a feature. "Please add tests" beside a failure is
 * not.
 */
export function detectType(request: string): WorkType | undefined {
  const type = findType(request.replace(WITH_TESTS, " "));
  return type ?? (FAILURE.test(request) ? undefined : findType(request));
}

const WITH_TESTS =
  /\b(?:add|write|create|include|update|improve)\s+(?:[\w-]+\s+){0,3}?(?:tests?|specs?|docs?|documentation|changelog)\b/gi;
const FAILURE =
  /\b(?:fails?|failed|failing|crash(?:es|ed)?|throws?|broken|breaks?|wrong|error|exception|regression)\b|\w(?:Error|Exception)\b/i;

function findType(text: string): WorkType | undefined {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.map((word) => (Object.hasOwn(WORDS, word) ? WORDS[word] : undefined)).find((type) => type);
}

/**
 * Parses a request without an agent; undefined if it is not clear.
 * @rule T-34 (policy) A clear prompt has a ticket id, a type keyword, a derived criterion and no vague word. Any other
 *   prompt goes to the Interpreter, and open questions go to the person.
 */
export function readPrompt(request: string, jira: string): Omit<Prompt, "created_at"> | undefined {
  const type = detectType(request);
  const slug = createTicketSlug(request);
  const success_criteria = parseCriteria(request, jira);
  if (!type || !slug || VAGUE.test(request) || success_criteria.length === 0) return undefined;
  return {
    jira,
    type,
    slug,
    tool_mandates: parseMandates(request),
    original_request: request,
    refined_prompt: removeTickets(request, jira),
    success_criteria,
  };
}

/** Returns the mandates verbatim, each assigned to planner or developer. */
export function parseMandates(request: string): Mandate[] {
  // A sentence about a failure, such as "it fails with null", contains no mandate.
  const asked = splitSentences(request).filter((sentence) => isWish(sentence) || !FAILURE.test(sentence));
  return asked.flatMap((sentence) =>
    sentence.split(CLAUSE).flatMap((clause) => {
      // The nearest verb decides: "Inspect it and fix it using X". Without one, the sentence's verb does.
      const said = PLANNING.test(clause) || BUILDING.test(clause) ? clause : sentence;
      const assigned_agent = PLANNING.test(said) ? ("planner" as const) : ("developer" as const);
      return (clause.match(MANDATES) ?? []).map((text) => ({ text, assigned_agent }));
    }),
  );
}

/** Mandates in capitals count even if the Interpreter omits them. */
export const parseRequiredMandates = (request: string): Mandate[] =>
  parseMandates(request).filter(({ text }) => text.startsWith("MUST"));

/** Returns three words, or undefined if the request has fewer. */
export function createTicketSlug(request: string): string | undefined {
  const words =
    removeTickets(request)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.length < SLUG_WORDS ? undefined : words.slice(0, SLUG_WORDS).join("_");
}

/**
 * Returns the criteria: the request's own list, otherwise its sentences that ask for something. Descriptions of the
 * current state, and requests for tests alone, do not count.
 */
function parseCriteria(request: string, jira: string): string[] {
  const listed = parseCriteriaList(request);
  if (listed.length > 0) return listed;
  const isEnough = (text: string) => (text.match(/[\w-]+/g) ?? []).length >= CRITERION_WORDS;
  return splitSentences(request)
    .map((sentence) => removeTickets(sentence, jira))
    .filter((sentence) => isWish(sentence) && isEnough(sentence) && isEnough(sentence.replace(WITH_TESTS, " ")));
}

/** Returns the list items below a criteria heading. */
function parseCriteriaList(request: string): string[] {
  const lines = request.split("\n");
  const at = lines.findIndex((line) => CRITERIA_HEADING.test(line));
  const below = at < 0 ? [] : lines.slice(at + 1);
  const end = below.findIndex((line) => line.trim() !== "" && !BULLET.test(line));
  return (end < 0 ? below : below.slice(0, end)).map((line) => line.replace(BULLET, "").trim()).filter(Boolean);
}

const CRITERIA_HEADING =
  /^[\s#*_]*(?:acceptance criteria|success criteria|criteria|done when|definition of done|expected)\b[^.]{0,20}:?[\s*_]*$/i;
const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+(?:\[[ x]\]\s+)?/i;

/** Returns whether the sentence asks for something: an order, a modal verb, or at least no description. */
function isWish(sentence: string): boolean {
  if (ORDER.test(removeTickets(sentence)) || /\b(?:should|must|shall|needs? to|has to|have to)\b/i.test(sentence))
    return true;
  return !FAILURE.test(sentence) && !TELLS.test(sentence);
}

const TELLS =
  /\b(?:is|are|was|were|has|had|does|doesn't|don't|did|didn't|isn't|aren't|can't|cannot|won't|currently|today|when|because|since|seems?|happens?)\b/i;

const ORDER =
  /^(?:(?:please|kindly|feature|bug|fix|chore|task|request)\s*[:,-]?\s+)*(?:fix|repair|correct|add|implement|create|build|refactor|clean(?:\s?up)?|update|upgrade|improve|make|let|remove|delete|rename|support|allow|return|use|using|handle|show|print|replace|move|split|extract|document|ensure|provide|expose|introduce|convert|enable|disable|drop|change|write|migrate|reduce|speed|test|analy[sz]e|inspect|investigate|research|diagnose|see|leverage|integrate|deploy|translate|validate|check|log|keep|stop|prevent|avoid|do|put|turn|set|give|sort|merge|limit|cache|read|parse|export|import|style|redesign|port)\b(?!\s*:)/i;

const splitSentences = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");

/** Removes ticket ids and extra blanks; with `jira`, only that id. */
export const removeTickets = (text: string, jira?: string): string =>
  text
    .replace(TICKET, (id) => (STANDARD.test(id) || (jira !== undefined && id !== jira) ? id : ""))
    .replace(/^[\s:,-]+/, "")
    .replace(/\s+/g, " ")
    .trim();

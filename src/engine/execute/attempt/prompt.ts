import type { Role } from "../../../core/authoring/role.ts";
import type { Dialect } from "../../../core/contract/dialect.ts";
import { renderContractTemplate } from "../../../core/contract/template.ts";
import type { AttemptRequest } from "../../../core/journal/effect.ts";
import type { Definition } from "../../../core/ports/definitions.ts";
import { withoutParts } from "./input-parts.ts";
import type { LaidFiles } from "./laid-files.ts";
import { checksSection } from "./prompt-checks.ts";
import { filesSection } from "./prompt-files.ts";
import { inputText, saidOnce } from "./prompt-input.ts";
import { forDispatch, told } from "./prompt-modes.ts";
import { notesByPeople, refusedBefore, refusedByPeople } from "./prompt-refusals.ts";
import { DATA, fenced } from "./quoted.ts";

export type PromptParts = {
  readonly definition: Definition;
  readonly role: Role<unknown, unknown, boolean>;
  readonly request: AttemptRequest;
  readonly dialect: Dialect;
  readonly laid?: LaidFiles | undefined;
  /** Variables of its environment. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** The variables that the checks run with, as far as they may be shown. */
  readonly environment?: readonly string[] | undefined;
};

/** Builds the prompt of an agent: its role, its input, what it may change, what judges it, and how to answer. */
export function promptFor(parts: PromptParts): string {
  const { request } = parts;
  return [
    ...formatTask(parts),
    ...refusedBefore(request),
    ...refusedByPeople(request),
    ...notesByPeople(request),
    ...formatRetrySection(request),
    formatAnswerSection(parts),
  ].join("\n\n");
}

function formatTask(parts: PromptParts): readonly string[] {
  return [...formatRole(parts), formatInputSection(parts), filesSection(parts), ...checksSection(parts)];
}

/**
 * Returns the role's text, as far as it applies to this dispatch. A definition from the repository stays as it was
 * written: it does not know the modes of this run.
 */
function formatRole({ definition, role, request: { input } }: PromptParts): readonly string[] {
  const own = isBuiltIn(definition);
  const prompt = own ? forDispatch(definition.prompt, { role, input }) : definition.prompt;
  if (role.protocol === undefined) return [prompt.trim()];
  const protocol = forDispatch(role.protocol, { role, input }).trim();
  return [prompt.trim(), own ? protocol : `${ABOVE}\n\n${protocol}`];
}

const isBuiltIn = ({ from }: Definition): boolean => from === "built in";

const ABOVE =
  "# In this run\n\nIf the text above differs about files, statuses or the form of your answer, follow the text below.";

/**
 * Builds the prompt for an interrupted conversation: the agent knows its task, but a new attempt needs an answer of its
 * own.
 */
export function promptToContinue(parts: PromptParts): string {
  return [
    "# Go on\n\nYou were interrupted in the middle of this work: the program around you was stopped, and with it everything you were running. The task is the same as before. The working directory is as you left it. Look at what is there and finish the work; do not start again.",
    filesSection(parts),
    formatAnswerSection(parts),
  ].join("\n\n");
}

export type Mending = { readonly problem: string; readonly said: string };

/** Longest quote of an answer: longer than any contract, so anything before it is prose. */
const MOST_SAID = 12_000;

/**
 * Builds the whole task again for an agent that only has to answer. The earlier answer is quoted, so it is no contract.
 */
export function promptToMend(parts: PromptParts, { problem, said }: Mending): string {
  const { request } = parts;
  const quoted = said.slice(-MOST_SAID).trim().replace(/^/gm, "> ");
  return [
    ...formatTask(parts),
    ...refusedByPeople(request),
    ...notesByPeople(request),
    `# Only your answer is missing\n\nThis work is done, and it is in the working directory. Do not start again. Only the answer could not be used, or a file that belongs to it is missing:\n\n${fenced(problem)}\n\nThe answer was (as data, no longer an answer):\n\n${quoted}\n\nWrite what is missing, and give the complete answer again in the form below.`,
    formatAnswerSection(parts),
  ].join("\n\n");
}

function formatAnswerSection({ role, request, dialect }: PromptParts): string {
  const template = renderContractTemplate({
    dialect,
    schema: role.contract,
    nonce: request.nonce,
    signed: role.signed,
  });
  return `# Your answer\n\n${template.trim()}`;
}

function formatInputSection({ definition, role, request, laid }: PromptParts): string {
  const files = laid?.input ?? [];
  const read = files.length > 0 ? ` Parts that are \`in\` a file are in your working directory: read them first.` : "";
  const said = isBuiltIn(definition) ? told({ role, input: request.input }) : request.input;
  const input = inputText(withoutParts(saidOnce(said), files));
  return `# Your input\n\n${DATA}${read}\n\n${fenced(input, "yaml")}`;
}

function formatRetrySection({ retry, kept }: AttemptRequest): readonly string[] {
  if (!retry) return [];
  const there =
    kept === undefined
      ? ""
      : "\n\nThe work of an earlier attempt is in the working directory; only its answer could not be used. Look at what is there and finish it; do not start again.";
  const why =
    retry.because === undefined
      ? ""
      : `\n\nThe previous answer could not be used. The reason, which may quote that answer: ${DATA}\n\n${fenced(retry.because)}`;
  return [`# Again\n\nretry_attempt: ${retry.number}${there}${why}`];
}

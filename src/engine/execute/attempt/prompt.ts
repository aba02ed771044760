import type { Role } from "../../../core/authoring/role.ts";
import type { Dialect } from "../../../core/contract/dialect.ts";
import { renderContractTemplate } from "../../../core/contract/template.ts";
import type { AttemptRequest } from "../../../core/journal/effect.ts";
import type { Definition } from "../../../core/ports/definitions.ts";
import type { AddedFiles } from "./added-files.ts";
import { replaceInputParts } from "./input-parts.ts";
import { formatChecksSection } from "./prompt-checks.ts";
import { formatFilesSection } from "./prompt-files.ts";
import { deduplicateInput, formatInput } from "./prompt-input.ts";
import { dropUntoldFields, selectModeText } from "./prompt-modes.ts";
import { formatEarlierRefusals, formatPeopleNotes, formatRefusals } from "./prompt-refusals.ts";
import { DATA, quoteBlock } from "./quote-text.ts";

export type PromptRequest = {
  readonly definition: Definition;
  readonly role: Role<unknown, unknown, boolean>;
  readonly request: AttemptRequest;
  readonly dialect: Dialect;
  readonly laid?: AddedFiles | undefined;
  /** Variables of its environment. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** The variables that the checks run with, as far as they may be shown. */
  readonly environment?: readonly string[] | undefined;
};

/** Builds the prompt of an agent: its role, its input, what it may change, what judges it, and how to answer. */
export function formatPrompt(parts: PromptRequest): string {
  const { request } = parts;
  return [
    ...formatTask(parts),
    ...formatEarlierRefusals(request),
    ...formatRefusals(request),
    ...formatPeopleNotes(request),
    ...formatRetrySection(request),
    formatAnswerSection(parts),
  ].join("\n\n");
}

function formatTask(parts: PromptRequest): readonly string[] {
  return [...formatRole(parts), formatInputSection(parts), formatFilesSection(parts), ...formatChecksSection(parts)];
}

/**
 * Returns the role's text, as far as it applies to this dispatch. A definition from the repository stays as it was
 * written: it does not know the modes of this run.
 */
function formatRole({ definition, role, request: { input } }: PromptRequest): readonly string[] {
  const own = isBuiltIn(definition);
  const prompt = own ? selectModeText(definition.prompt, { role, input }) : definition.prompt;
  if (role.protocol === undefined) return [prompt.trim()];
  const protocol = selectModeText(role.protocol, { role, input }).trim();
  return [prompt.trim(), own ? protocol : `${ABOVE}\n\n${protocol}`];
}

const isBuiltIn = ({ from }: Definition): boolean => from === "built in";

const ABOVE =
  "# In this run\n\nIf the text above differs about files, statuses or the form of your answer, follow the text below.";

/**
 * Builds the prompt for an interrupted conversation: the agent knows its task, but a new attempt needs an answer of its
 * own.
 */
export function formatContinuePrompt(parts: PromptRequest): string {
  return [
    "# Go on\n\nYou were interrupted in the middle of this work: the program around you was stopped, and with it everything you were running. The task is the same as before. The working directory is as you left it. Look at what is there and finish the work; do not start again.",
    formatFilesSection(parts),
    formatAnswerSection(parts),
  ].join("\n\n");
}

export type RepairRequest = { readonly problem: string; readonly said: string };

/** Longest quote of an answer: longer than any contract, so anything before it is prose. */
const MOST_SAID = 12_000;

/**
 * Builds the whole task again for an agent that only has to answer. The earlier answer is quoted, so it is no contract.
 */
export function formatRepairPrompt(parts: PromptRequest, { problem, said }: RepairRequest): string {
  const { request } = parts;
  const quoted = said.slice(-MOST_SAID).trim().replace(/^/gm, "> ");
  return [
    ...formatTask(parts),
    ...formatRefusals(request),
    ...formatPeopleNotes(request),
    `# Only your answer is missing\n\nThis work is done, and it is in the working directory. Do not start again. Only the answer could not be used, or a file that belongs to it is missing:\n\n${quoteBlock(problem)}\n\nThe answer was (as data, no longer an answer):\n\n${quoted}\n\nWrite what is missing, and give the complete answer again in the form below.`,
    formatAnswerSection(parts),
  ].join("\n\n");
}

function formatAnswerSection({ role, request, dialect }: PromptRequest): string {
  const template = renderContractTemplate({
    dialect,
    schema: role.contract,
    nonce: request.nonce,
    signed: role.signed,
  });
  return `# Your answer\n\n${template.trim()}`;
}

function formatInputSection({ definition, role, request, laid }: PromptRequest): string {
  const files = laid?.input ?? [];
  const read = files.length > 0 ? ` Parts that are \`in\` a file are in your working directory: read them first.` : "";
  const said = isBuiltIn(definition) ? dropUntoldFields({ role, input: request.input }) : request.input;
  const input = formatInput(replaceInputParts(deduplicateInput(said), files));
  return `# Your input\n\n${DATA}${read}\n\n${quoteBlock(input, "yaml")}`;
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
      : `\n\nThe previous answer could not be used. The reason, which may quote that answer: ${DATA}\n\n${quoteBlock(retry.because)}`;
  return [`# Again\n\nretry_attempt: ${retry.number}${there}${why}`];
}

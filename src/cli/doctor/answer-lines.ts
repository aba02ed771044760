import type { Usage } from "../../core/journal/effect.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatDuration } from "../../surfaces/terminal/duration.ts";
import type { Paint } from "../../surfaces/terminal/paint.ts";
import type { AgentAnswer } from "./ask-agents.ts";

const MOST_ROLES = 4;

export function formatAsking(agents: readonly string[]): string {
  if (agents.length === 0) return "no agent to ask: none is configured or installed";
  const each = agents.length === 1 ? "a short question" : "a short question each";
  return `asking ${agents.join(", ")} ${each}; this uses a few tokens`;
}

export function formatAnswer(paint: Paint, answer: AgentAnswer): readonly string[] {
  const { agent, ms, usage } = answer;
  const cost = formatCost(usage);
  if (answer.outcome === "answered") {
    const odd = answer.asAsked ? "" : `, but not as requested: "${toOneLine(answer.says, 60)}"`;
    const glyph = answer.asAsked ? paint.green("✓") : paint.yellow("!");
    const spent = [formatDuration(ms), ...cost].join(", ");
    return [`${glyph}  ${paint.bold(agent)} answered in ${spent}${odd}${paint.dim(formatRoles(answer))}`];
  }
  const { failure, next, needed } = answer;
  const spent = [`after ${formatDuration(ms)}`, ...cost].join(", ");
  const glyph = needed ? paint.red("✗") : paint.yellow("!");
  return [
    `${glyph}  ${paint.bold(agent)} failed ${spent}: ${failure.code} (${failure.class})${paint.dim(formatRoles(answer))}`,
    `   ${toOneLine(failure.message, 240)}`,
    `   ${paint.dim("next:")} ${paint.cyan(next)}`,
  ];
}

function formatCost({ inputTokens, outputTokens, usd }: Usage = {}): readonly string[] {
  const hasTokens = inputTokens !== undefined || outputTokens !== undefined;
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
  return [
    ...(hasTokens ? [`${tokens.toLocaleString("en")} tokens`] : []),
    ...(usd === undefined ? [] : [`$${usd.toFixed(4)}`]),
  ];
}

function formatRoles({ roles }: AgentAnswer): string {
  if (roles.length === 0) return "";
  return `  for ${roles.length > MOST_ROLES ? `${roles.length} roles` : roles.join(", ")}`;
}

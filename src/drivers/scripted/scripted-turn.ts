import { writeContract } from "../../core/contract/write.ts";
import type { DispatchOrder } from "../../core/ports/driver.ts";
import type { Json } from "../../core/text/json.ts";
import type { Action, ScriptRule } from "./script.ts";

/** The input of the agent program: its actions in order, and its final answer. */
export type ScriptedTurn = { readonly do: readonly Action[]; readonly answer: string };

type AnswerContext = Pick<DispatchOrder, "nonce" | "run" | "dialect" | "signature">;

export function createScriptedTurn(rule: ScriptRule, order: AnswerContext): ScriptedTurn {
  const wrongs = new Set((rule.do ?? []).map((action) => action.misbehave));
  const signature = wrongs.has("wrong-signature") ? WRONG_SIGNATURE : order.signature;
  const fill = (text: string) =>
    text
      .replaceAll("{{nonce}}", order.nonce)
      .replaceAll("{{signature}}", signature ?? "")
      .replaceAll("{{run}}", order.run);
  const answer = applyMisbehavior(createAnswer({ rule, order, signature, fill }), wrongs);
  return { do: (rule.do ?? []).map((action) => fillAction(action, fill)), answer };
}

const WRONG_SIGNATURE = "not-the-signature-of-this-role";

type AnswerRequest = {
  readonly rule: ScriptRule;
  readonly order: AnswerContext;
  readonly signature: string | undefined;
  readonly fill: (text: string) => string;
};

function createAnswer({ rule, order, signature, fill }: AnswerRequest): string {
  if (rule.reply !== undefined) return fill(rule.reply);
  if (rule.output === undefined) return "";
  const { dialect, nonce } = order;
  const value = fillJson(rule.output, fill);
  return writeContract({ dialect, value, nonce, ...(signature === undefined ? {} : { signature }) });
}

function applyMisbehavior(answer: string, wrongs: ReadonlySet<string | undefined>): string {
  if (wrongs.has("empty")) return "";
  if (wrongs.has("no-contract")) return "All done. Everything works.";
  if (wrongs.has("garbage")) return GARBAGE;
  if (wrongs.has("half-contract")) return answer.slice(0, Math.floor(answer.length / 2));
  if (wrongs.has("two-contracts")) return `${answer}\n\n${answer}`;
  return answer;
}

const GARBAGE = '\u0000\u001b[2J}{"contract": ]\ufffd\u2028```json\n{"verdict": tru\n\u202e\ufeff---\n- - : :';

function fillAction(action: Action, fill: (text: string) => string): Action {
  if (!action.write) return action;
  return { write: { path: action.write.path, content: fill(action.write.content) } };
}

function fillJson(value: Json, fill: (text: string) => string): Json {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((inner: Json) => fillJson(inner, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inner === undefined ? inner : fillJson(inner, fill)]),
  );
}

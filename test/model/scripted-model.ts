import type { DispatchOrder } from "../../src/core/ports/driver.ts";
import type { Json } from "../../src/core/text/json.ts";
import { type DispatchIdentity, findRule, formatDispatch } from "../../src/drivers/scripted/match.ts";
import { readScript } from "../../src/drivers/scripted/read-script.ts";
import type { Action, ScriptRule } from "../../src/drivers/scripted/script.ts";
import { createScriptedTurn } from "../../src/drivers/scripted/scripted-turn.ts";
import type { ModelRequest, Play } from "./play.ts";

/** The dispatch of a prompt, which no prompt states directly. */
export type Dispatch = DispatchIdentity & Pick<DispatchOrder, "nonce" | "dialect">;

/**
 * Plays scripted agents: the rules of a script, executed by real programs with their own tools. Each answer depends on
 * its request only, so a program may safely repeat one.
 */
export function scriptedModel(
  agents: readonly Json[],
  dispatchIn: (prompt: string) => Dispatch | undefined,
): (asked: ModelRequest) => Play {
  const script = readScript(JSON.stringify({ agents }), "the model's script");
  return (asked) => {
    const prompt = asked.prompts.join("\n");
    const dispatch = dispatchIn(prompt);
    if (!dispatch) return { text: "This prompt belongs to no dispatch." };
    const rule = findRule(script, dispatch);
    if (!rule) return { text: `No rule of the script fits this dispatch (${formatDispatch(dispatch)}).` };
    const { do: deeds, answer } = createScriptedTurn(correctRule(rule, asked), {
      ...dispatch,
      ...findSignature(prompt),
    });
    return deeds.flatMap(listPlays)[asked.results] ?? { text: answer };
  };
}

/** Answers correctly once the client reports an unusable answer, as models do. */
function correctRule(rule: ScriptRule, { prompt }: ModelRequest): ScriptRule {
  if (!prompt.includes("could not be used")) return rule;
  return { ...rule, do: (rule.do ?? []).filter(({ misbehave }) => misbehave === undefined) };
}

/** Finds the signature as a model does: in the definition at the start of its prompt. */
function findSignature(prompt: string): Pick<DispatchOrder, "signature"> {
  const signature = /^SIGNED_VALUE: (\S+)$/m.exec(prompt)?.[1];
  return signature === undefined ? {} : { signature };
}

function listPlays({ write, delete: gone, run, misbehave }: Action): readonly Play[] {
  // Programs replace only files that they have read.
  if (write) return [{ read: write.path }, { write }];
  if (gone !== undefined) return [{ shell: `rm -rf '${gone}'` }];
  if (run !== undefined) return [{ shell: run }];
  if (misbehave === "429") return [{ http: 429 }];
  return misbehave === "hang" ? [{ hang: true }] : [];
}

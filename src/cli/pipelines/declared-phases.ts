import type { Pipeline } from "../../core/authoring/pipeline.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";

export type PipelineText = {
  readonly path: string;
  readonly text: string;
  /** All exports of the file. */
  readonly pipelines: readonly Pipeline[];
};

/**
 * Rejects a call of an undeclared phase. It would end the run at that point, after everything dispatched before it.
 * Titles that are computed at run time are not checked.
 */
export function requireDeclaredPhases({ path, text, pipelines }: PipelineText): void {
  const titles = pipelines.flatMap(({ phases }) => phases.map(({ title }) => title));
  const wrong = listCalledPhases(text).find(({ title }) => !titles.includes(title));
  if (!wrong) return;
  const close = findNearestWord(wrong.title, titles);
  throw new SignalboxError(
    "PIPELINE_INVALID",
    `${path}:${wrong.line} calls phase(${JSON.stringify(wrong.title)}), which is not declared.${close ? ` Did you mean "${close}"?` : ""}`,
    `Declare it in definePipeline, or correct the call. Declared phases: ${titles.join(", ")}.`,
  );
}

function listCalledPhases(text: string): readonly { readonly title: string; readonly line: number }[] {
  return text.split("\n").flatMap((line, at) => {
    if (/^\s*(?:\/\/|\*|\/\*)/.test(line)) return [];
    const code = line.replace(/\s\/\/.*$/, "");
    const calls = code.matchAll(/(?<![\w.$]|\bfunction )(?:\w+\.)?phase\(\s*(["'])((?:(?!\1)[^\\])*)\1\s*\)/g);
    return [...calls].map(([, , title = ""]) => ({ title, line: at + 1 }));
  });
}

import type { Json } from "../../../src/core/text/json.ts";
import type { PipelineInput } from "../../../src/surfaces/server/port/documents.ts";

type Props = {
  readonly inputs: readonly PipelineInput[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
};

/** Inputs of the selected pipeline other than the request. Empty fields use the pipeline's defaults. */
export function InputFields({ inputs, values, onChange }: Props) {
  return inputs.map((input) => {
    const { name, needed } = input;
    const options = listOptions(input);
    const value = values[name] ?? "";
    return (
      <label key={name} className="field" htmlFor={`input-${name}`}>
        {name}
        {options ? (
          <select id={`input-${name}`} value={value} onChange={(event) => onChange(name, event.target.value)}>
            <option value="">{formatPlaceholder(input)}</option>
            {options.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={`input-${name}`}
            value={value}
            required={needed}
            placeholder={formatPlaceholder(input)}
            onChange={(event) => onChange(name, event.target.value)}
          />
        )}
      </label>
    );
  });
}

function listOptions({ type }: PipelineInput): readonly string[] | null {
  if (type === "yes or no") return ["yes", "no"];
  return type.includes(" | ") ? type.split(" | ") : null;
}

function formatPlaceholder({ needed, otherwise: value, type }: PipelineInput): string {
  if (needed) return `required: ${type}`;
  return value === undefined ? `optional: ${type}` : `optional: ${JSON.stringify(value)}`;
}

/** Parses inputs like `--input name=value`: text stays text, and other values are parsed as JSON if possible. */
export function parseInputs(inputs: readonly PipelineInput[], values: Readonly<Record<string, string>>) {
  const given = inputs.flatMap(({ name, type }): (readonly [string, Json])[] => {
    const value = values[name]?.trim() ?? "";
    return value === "" ? [] : [[name, parseInput(type, value)]];
  });
  return Object.fromEntries(given);
}

function parseInput(type: string, text: string): Json {
  if (type === "yes or no") return text === "yes";
  if (type === "text" || type.includes(" | ")) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

import type { Json } from "../../../src/core/text/json.ts";
import type { PipelineInput } from "../../../src/surfaces/server/port/answers.ts";

type Props = {
  readonly inputs: readonly PipelineInput[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
};

/** What the chosen pipeline takes besides the request; what is left empty is left to it. */
export function InputFields({ inputs, values, onChange }: Props) {
  return inputs.map((input) => {
    const { name, needed } = input;
    const options = optionsOf(input);
    const value = values[name] ?? "";
    return (
      <label key={name} className="field" htmlFor={`input-${name}`}>
        {name}
        {options ? (
          <select id={`input-${name}`} value={value} onChange={(event) => onChange(name, event.target.value)}>
            <option value="">{otherwise(input)}</option>
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
            placeholder={otherwise(input)}
            onChange={(event) => onChange(name, event.target.value)}
          />
        )}
      </label>
    );
  });
}

function optionsOf({ type }: PipelineInput): readonly string[] | null {
  if (type === "yes or no") return ["yes", "no"];
  return type.includes(" | ") ? type.split(" | ") : null;
}

function otherwise({ needed, otherwise: value, type }: PipelineInput): string {
  if (needed) return `needed: ${type}`;
  return value === undefined ? `optional: ${type}` : `optional: ${JSON.stringify(value)}`;
}

/** As `--input name=value` reads it: text stays text, of the rest what is JSON is taken as that. */
export function inputOf(inputs: readonly PipelineInput[], values: Readonly<Record<string, string>>) {
  const given = inputs.flatMap(({ name, type }): (readonly [string, Json])[] => {
    const value = values[name]?.trim() ?? "";
    return value === "" ? [] : [[name, readAs(type, value)]];
  });
  return Object.fromEntries(given);
}

function readAs(type: string, text: string): Json {
  if (type === "yes or no") return text === "yes";
  if (type === "text" || type.includes(" | ")) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { type Comment, SEVERITIES } from "./comments.ts";

type Props = {
  readonly path: string;
  readonly line: number;
  readonly onCancel: () => void;
  readonly onComment: (comment: Comment) => void;
};

export function CommentForm({ path, line, onCancel, onComment }: Props) {
  const [text, setText] = useState("");
  const [severity, setSeverity] = useState<Comment["severity"]>("major");
  return (
    <div className="finding own">
      <p>
        <strong>You, on line {line}</strong> <span className="quiet-text">· will be sent as a finding</span>
      </p>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the user selected the line in order to write.
        autoFocus
        aria-label={`Comment on line ${line} of ${path}`}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="severity-row">
        <fieldset>
          <legend>Severity</legend>
          {SEVERITIES.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name={`severity-${path}-${line}`}
                checked={each === severity}
                onChange={() => setSeverity(each)}
              />
              {each}
            </label>
          ))}
        </fieldset>
        <span className="buttons">
          <Button onPress={onCancel}>Cancel</Button>
          <Button
            look="primary"
            off={text.trim() === "" ? "enter a comment" : null}
            onPress={() => onComment({ path, line, severity, text: text.trim() })}
          >
            Save
          </Button>
        </span>
      </div>
    </div>
  );
}

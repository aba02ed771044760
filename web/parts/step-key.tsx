import { Fragment } from "react";

/** A key that is never cut, but may break after each slash. */
export function StepKey({ text }: { readonly text: string }) {
  const parts = text.split("/");
  return (
    <code className="step-key">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a key's parts never change places.
        <Fragment key={index}>
          {part}
          {index < parts.length - 1 && (
            <>
              /<wbr />
            </>
          )}
        </Fragment>
      ))}
    </code>
  );
}

export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <>
      {keys.split(" ").map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </>
  );
}

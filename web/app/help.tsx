import { Dialog } from "../parts/dialog.tsx";
import { Kbd } from "../parts/step-key.tsx";
import { type NotificationSetting, NotificationSwitch } from "./settings.tsx";

export const KEYS = [
  ["j k", "next row, previous row"],
  ["↵", "open"],
  ["f", "next failure"],
  ["n p", "next or previous finding or difference"],
  ["[ ]", "previous round, next round"],
  ["1 2 3 4", "graph, timeline, table, events"],
  ["e t d", "evidence, transcript, diff"],
  ["c", "comment on the line, copy the SQL"],
  ["y", "copy a link to this view"],
  ["a", "go to the question (does not answer it)"],
  ["g h", "home"],
  ["g i", "inbox"],
  ["g r", "runs"],
  ["/", "filter"],
  ["⌘K", "go anywhere"],
  ["esc", "close, leave a field"],
] as const;

export function Help({ onClose, notices }: { readonly onClose: () => void; readonly notices: NotificationSetting }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {KEYS.map(([keys, says]) => (
          <div key={keys}>
            <dt>
              <Kbd keys={keys} />
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet-text">Keys are disabled while you type.</p>
      <NotificationSwitch notices={notices} />
    </Dialog>
  );
}

/** The most useful keys of a screen, and a summary on the right. */
export function KeyBar({
  keys,
  right,
}: {
  readonly keys: readonly (readonly [string, string])[];
  readonly right?: string;
}) {
  return (
    <footer className="key-bar">
      {keys.map(([names, says]) => (
        <span key={names}>
          <Kbd keys={names} /> {says}
        </span>
      ))}
      <span className="key-bar-right">{right}</span>
    </footer>
  );
}

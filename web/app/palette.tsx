import { useState } from "react";
import type { Home } from "../../src/surfaces/server/port/documents.ts";
import { useStore } from "../data/hooks.ts";
import { Dialog } from "../parts/dialog.tsx";
import { shortenRun } from "../parts/format.ts";
import { navigate, toRunPath } from "./router.tsx";

type Target = { readonly label: string; readonly note: string; readonly href: string };

const SCREENS: readonly Target[] = [
  { label: "Home", note: "g h", href: "/" },
  { label: "Inbox", note: "g i", href: "/inbox" },
  { label: "Runs", note: "g r", href: "/runs" },
  { label: "Start a run", note: "", href: "/start" },
  { label: "Cost", note: "", href: "/cost" },
  { label: "Compare two runs", note: "", href: "/compare" },
];

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const home = useStore((store) => store.home.value);
  const [text, setText] = useState("");
  const words = text.toLowerCase().split(/\s+/);
  const found = [...listTargets(home), ...SCREENS]
    .filter(({ label, note }) => words.every((word) => `${label} ${note}`.toLowerCase().includes(word)))
    .slice(0, 12);
  const open = (target: Target | undefined): void => {
    if (!target) return;
    onClose();
    navigate(target.href);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open(found[0]);
        }}
      >
        <input autoFocus aria-label="Runs, questions, screens" value={text} onChange={(e) => setText(e.target.value)} />
      </form>
      <ul className="palette">
        {found.map((target) => (
          <li key={target.href}>
            <button type="button" onClick={() => open(target)}>
              <span>{target.label}</span> <span className="quiet-text">{target.note}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className="quiet-text">No matches.</p> : null}
    </Dialog>
  );
}

function listTargets(home: Home | undefined): readonly Target[] {
  if (!home) return [];
  const questions = home.needs.map(({ id, title, repository, request }) => ({
    label: title,
    note: `${repository} · ${request}`,
    href: `/q/${encodeURIComponent(id)}`,
  }));
  const runs = [...home.running, ...home.recent].map(({ run, repository, pipeline, request }) => ({
    label: request,
    note: `${repository} · ${pipeline} · ${shortenRun(run)}`,
    href: toRunPath(run),
  }));
  return [...questions, ...runs];
}

import { type ReactNode, useState } from "react";
import { useStore } from "../data/hooks.ts";
import { Mark } from "../parts/mark.tsx";
import { Kbd } from "../parts/step-key.tsx";
import { listNeeds } from "../screens/home/list-needs.ts";
import { Help } from "./help.tsx";
import { useKeys } from "./keyboard.ts";
import { LiveMark, NotLive } from "./live.tsx";
import { useNotices } from "./notices.ts";
import { Palette } from "./palette.tsx";
import { Link, navigate, usePageLocation } from "./router.tsx";
import { ThemeButton } from "./settings.tsx";
import { UnreadableRuns } from "./unreadable-runs.tsx";

const NAV = [
  { label: "Home", href: "/", at: /^\/$/ },
  { label: "Inbox", href: "/inbox", at: /^\/(inbox|q)/ },
  { label: "Runs", href: "/runs", at: /^\/(runs|start)/ },
  { label: "Cost", href: "/cost", at: /^\/cost/ },
  { label: "Compare", href: "/compare", at: /^\/compare/ },
];

export function Shell({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<"help" | "palette" | null>(null);
  const notices = useNotices();
  const first = useStore((store) => store.home.value?.needs[0]);
  useKeys({
    "g h": () => navigate("/"),
    "g i": () => navigate("/inbox"),
    "g r": () => navigate("/runs"),
    "?": () => setOpen("help"),
    "mod+k": () => setOpen("palette"),
    a: first ? () => navigate(`/q/${encodeURIComponent(first.id)}`) : undefined,
    "/": () => focusFilter() || setOpen("palette"),
  });
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <TopBar onHelp={() => setOpen("help")} onPalette={() => setOpen("palette")} />
      <NotLive />
      <UnreadableRuns />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {open === "help" ? <Help notices={notices} onClose={() => setOpen(null)} /> : null}
      {open === "palette" ? <Palette onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function focusFilter(): boolean {
  const field = document.querySelector<HTMLElement>("[data-filter]");
  field?.focus();
  return field !== null;
}

function TopBar({ onHelp, onPalette }: { readonly onHelp: () => void; readonly onPalette: () => void }) {
  const { path } = usePageLocation();
  const needs = useStore((store) => store.home.value);
  const open = needs ? listNeeds(needs).length : 0;
  return (
    <header className="top-bar">
      <Link className="brand" href="/">
        <Mark /> signalbox
      </Link>
      <nav aria-label="Screens">
        {NAV.map(({ label, href, at }) => (
          <Link key={href} href={href} aria-current={at.test(path) ? "page" : undefined}>
            {label}
            {label === "Inbox" && open > 0 ? <span className="badge warn">{open}</span> : null}
          </Link>
        ))}
      </nav>
      <button type="button" className="search-button" onClick={onPalette}>
        <span>Runs, questions, screens</span> <Kbd keys="⌘K" />
        <b>Find</b>
      </button>
      <LiveMark />
      <ThemeButton />
      <button type="button" className="help-button" aria-label="Keys and settings" onClick={onHelp}>
        ?
      </button>
    </header>
  );
}

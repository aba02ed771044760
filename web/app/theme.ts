import { useSyncExternalStore } from "react";

export type Theme = "auto" | "light" | "dark";

const KEPT = "signalbox.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

const kept = (): Theme => {
  const found = read();
  return found === "light" || found === "dark" ? found : "auto";
};

/** A page from disk may have no storage at all. */
function read(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export function applyTheme(): void {
  const theme = kept();
  document.documentElement.dataset["theme"] = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
}

dark.addEventListener("change", applyTheme);

export function setTheme(theme: Theme): void {
  if (theme === "auto") localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, kept);
}

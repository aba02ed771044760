import { useSyncExternalStore } from "react";

export type Theme = "auto" | "light" | "dark";

const STORAGE_KEY = "signalbox.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

const loadTheme = (): Theme => {
  const found = readStorage();
  return found === "light" || found === "dark" ? found : "auto";
};

/** Returns the stored theme. A page opened from disk may have no storage. */
function readStorage(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

export function applyTheme(): void {
  const theme = loadTheme();
  document.documentElement.dataset["theme"] = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
}

dark.addEventListener("change", applyTheme);

export function setTheme(theme: Theme): void {
  if (theme === "auto") localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, loadTheme);
}

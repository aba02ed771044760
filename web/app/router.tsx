import type { ComponentProps } from "react";
import { useSyncExternalStore } from "react";

/**
 * The location of the page. The URL holds the complete state of a screen, so that a shared link shows the same view.
 */
export type PageLocation = { readonly path: string; readonly search: string };

const listeners = new Set<() => void>();
let place: PageLocation = { path: location.pathname, search: location.search };
let inMemory = false;

addEventListener("popstate", () => setPlace({ path: location.pathname, search: location.search }));

function setPlace(next: PageLocation): void {
  place = next;
  for (const listener of listeners) listener();
}

export function navigate(to: string, how: "push" | "replace" = "push"): void {
  const url = new URL(to, "http://page");
  if (!inMemory) history[how === "push" ? "pushState" : "replaceState"](null, "", url.pathname + url.search);
  setPlace({ path: url.pathname, search: url.search });
  if (how === "push") scrollTo(0, 0);
}

/** Switches to in-memory navigation. A report has a single page, whose URL is that of a file. */
export function enableMemoryLocation(path: string): void {
  inMemory = true;
  setPlace({ path, search: "" });
}

export const hasServer = (): boolean => !inMemory;

export function usePageLocation(): PageLocation {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => place,
  );
}

/** Returns one URL parameter and its setter. Setting it replaces the history entry. */
export function useParam(name: string): readonly [string | null, (value: string | null) => void] {
  const { search } = usePageLocation();
  return [new URLSearchParams(search).get(name), (value) => setParams({ [name]: value })];
}

export function setParams(values: Readonly<Record<string, string | null>>): void {
  const next = new URLSearchParams(place.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const search = next.toString();
  navigate(place.path + (search === "" ? "" : `?${search}`), "replace");
}

export function Link({ href, onClick, ...rest }: ComponentProps<"a"> & { readonly href: string }) {
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        navigate(href);
      }}
    />
  );
}

export const toRunPath = (run: string, rest = ""): string => `/runs/${encodeURIComponent(run)}${rest}`;

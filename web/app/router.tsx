import type { ComponentProps } from "react";
import { useSyncExternalStore } from "react";

/** Where the page is. The address is the whole state of a screen, so that a link shows what its sender saw. */
export type Place = { readonly path: string; readonly search: string };

const listeners = new Set<() => void>();
let place: Place = { path: location.pathname, search: location.search };
let inMemory = false;

addEventListener("popstate", () => moved({ path: location.pathname, search: location.search }));

function moved(next: Place): void {
  place = next;
  for (const listener of listeners) listener();
}

export function go(to: string, how: "push" | "replace" = "push"): void {
  const url = new URL(to, "http://page");
  if (!inMemory) history[how === "push" ? "pushState" : "replaceState"](null, "", url.pathname + url.search);
  moved({ path: url.pathname, search: url.search });
  if (how === "push") scrollTo(0, 0);
}

/** A report has one page, and its address is a file's. */
export function stayAt(path: string): void {
  inMemory = true;
  moved({ path, search: "" });
}

export const hasServer = (): boolean => !inMemory;

export function usePlace(): Place {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => place,
  );
}

/** One parameter of the address; setting it replaces the place instead of adding one to go back to. */
export function useParam(name: string): readonly [string | null, (value: string | null) => void] {
  const { search } = usePlace();
  return [new URLSearchParams(search).get(name), (value) => setParams({ [name]: value })];
}

export function setParams(values: Readonly<Record<string, string | null>>): void {
  const next = new URLSearchParams(place.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const search = next.toString();
  go(place.path + (search === "" ? "" : `?${search}`), "replace");
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
        go(href);
      }}
    />
  );
}

export const runPath = (run: string, rest = ""): string => `/runs/${encodeURIComponent(run)}${rest}`;

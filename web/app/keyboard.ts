import { useEffect, useRef } from "react";

/** Actions by key name. A sequence of two keys is written `g h`. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const layers: { readonly current: Keys }[] = [];
let previousKey = "";

/** Adds keyboard actions. The component mounted last takes precedence. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    layers.unshift(latest);
    return () => void layers.splice(layers.indexOf(latest), 1);
  }, []);
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isTyping(event.target)) return (event.target as HTMLElement).blur();
  const chord = event.metaKey || event.ctrlKey;
  if (event.altKey || (!chord && isTyping(event.target)) || document.querySelector("dialog[open]")) return;
  const key = chord ? `mod+${event.key}` : event.key;
  const pair = `${previousKey} ${key}`;
  previousKey = key.length === 1 ? key : "";
  const act = findAction(pair) ?? findAction(key);
  if (!act || (key === "Enter" && isPressable(event.target))) return;
  event.preventDefault();
  previousKey = "";
  act();
});

const findAction = (key: string) => layers.map(({ current }) => current[key]).find((act) => act !== undefined);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !isRadio(target)));

const isRadio = (target: HTMLElement): boolean => target instanceof HTMLInputElement && target.type === "radio";

const isPressable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(A|BUTTON|SUMMARY)$/.test(target.tagName);

/** Moves the focus along elements marked as rows, so that the browser's own keys work on them. */
export function moveFocus(by: 1 | -1, among = "[data-row]"): void {
  const rows = [...document.querySelectorAll<HTMLElement>(among)];
  const at = rows.findIndex((row) => row.isSameNode(document.activeElement));
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by));
  rows[next]?.focus();
}

import { KeyBar } from "../../app/help.tsx";
import { stepFocus, useKeys } from "../../app/keyboard.ts";
import { useStore } from "../../data/hooks.ts";
import { some } from "../../parts/format.ts";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { needing } from "../home/needing.ts";
import { NeedsList } from "../home/needs.tsx";

const KEYS = [
  ["j k", "question"],
  ["↵", "open"],
  ["a", "first question"],
] as const;

export function InboxScreen() {
  const { value: home, error } = useStore((store) => store.home);
  useKeys({ j: () => stepFocus(1), k: () => stepFocus(-1) });
  if (!home) return error ? <Failure error={error} /> : <Skeleton what="your inbox" />;
  const needs = needing(home);
  return (
    <div className="page inbox">
      <h1 className="first-line">Inbox</h1>
      <p className="quiet-text">
        {needs.length === 0
          ? "Your inbox is empty."
          : `${some(needs.length, "item needs", "items need")} you, oldest first.`}{" "}
        You can answer here, in the terminal or in an editor. The first answer counts.
      </p>
      {needs.length > 0 ? <NeedsList needs={needs} /> : null}
      <KeyBar keys={KEYS} />
    </div>
  );
}

import { KeyBar } from "../../app/help.tsx";
import { moveFocus, useKeys } from "../../app/keyboard.ts";
import { useStore } from "../../data/hooks.ts";
import { formatQuantity } from "../../parts/format.ts";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { listNeeds } from "../home/list-needs.ts";
import { NeedsList } from "../home/needs.tsx";

const KEYS = [
  ["j k", "question"],
  ["↵", "open"],
  ["a", "first question"],
] as const;

export function InboxScreen() {
  const { value: home, error } = useStore((store) => store.home);
  useKeys({ j: () => moveFocus(1), k: () => moveFocus(-1) });
  if (!home) return error ? <Failure error={error} /> : <Skeleton what="your inbox" />;
  const needs = listNeeds(home);
  return (
    <div className="page inbox">
      <h1 className="first-line">Inbox</h1>
      <p className="quiet-text">
        {needs.length === 0
          ? "Your inbox is empty."
          : `${formatQuantity(needs.length, "item needs", "items need")} you, oldest first.`}{" "}
        You can answer here, in the terminal or in an editor. The first answer counts.
      </p>
      {needs.length > 0 ? <NeedsList needs={needs} /> : null}
      <KeyBar keys={KEYS} />
    </div>
  );
}

import { type FocusEvent, type KeyboardEvent, useState } from "react";
import type { PageAction, RunPage } from "../../../src/views/page/page.ts";
import { useLive } from "../../app/live.tsx";
import { Button } from "../../parts/button.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { showRun, useAction } from "./use-action.ts";

/** Actions that need a confirmation or a parameter. */
const CONFIRMED_ACTIONS = new Set<PageAction["id"]>(["cancel", "stop", "fork", "land", "revert"]);

/** Buttons for possible actions. Disabled ones are in a menu, with their reasons. */
export function Actions({ page }: { readonly page: RunPage }) {
  const [open, setOpen] = useState<PageAction | null>(null);
  const { actions, run } = page.head;
  const [on, off] = [actions.filter((action) => action.off === null), actions.filter((action) => action.off !== null)];
  return (
    <div className="actions">
      {on.map((action) => (
        <ActionButton key={action.id} run={run} action={action} onAsk={() => setOpen(action)} />
      ))}
      {off.length > 0 ? (
        <details className="more" onBlur={closeOutside} onKeyDown={closeByKey}>
          <summary className="button">More</summary>
          <div>
            {[...Map.groupBy(off, (action) => action.off)].map(([why, all]) => (
              <Button key={why} off={why} onPress={() => undefined}>
                {all.map(({ label }) => label).join(", ")}
              </Button>
            ))}
          </div>
        </details>
      ) : null}
      {open ? <ActionDialog page={page} action={open} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

/** Closes the menu, which overlays the page, when the focus leaves it. */
function closeOutside({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>): void {
  if (!currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

function closeByKey(event: KeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== "Escape" || !event.currentTarget.open) return;
  event.currentTarget.open = false;
  event.stopPropagation();
}

type ButtonProps = { readonly run: string; readonly action: PageAction; readonly onAsk: () => void };

function ActionButton({ run, action, onAsk }: ButtonProps) {
  const live = useLive();
  const direct = useAction(run, action.id);
  const off = action.off ?? (live ? direct.off : "not live");
  const asks = CONFIRMED_ACTIONS.has(action.id);
  return (
    <>
      <Button
        off={off}
        look={action.id === "cancel" ? "danger" : action.id === "resume" && off === null ? "primary" : "plain"}
        onPress={asks ? onAsk : () => direct.act({}, showRun)}
      >
        {action.label}
        {asks && off === null ? "…" : ""}
      </Button>
      {direct.error ? (
        <span className="bad" role="alert">
          {direct.error.message}
        </span>
      ) : null}
    </>
  );
}

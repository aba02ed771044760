import { type ReactNode, useEffect, useId, useRef } from "react";

type Props = { readonly title: string; readonly onClose: () => void; readonly children: ReactNode };

/** Native dialog, which traps the focus and closes on Escape. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={onClose} onCancel={onClose}>
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

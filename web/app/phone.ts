import { useSyncExternalStore } from "react";

/** As `phone.css` has it. */
const narrow = matchMedia("(max-width: 700px)");

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

/** Where another order is needed, not only another look. */
export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);

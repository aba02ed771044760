import { useSyncExternalStore } from "react";

/** Same width as in `phone.css`. */
const narrow = matchMedia("(max-width: 700px)");

function subscribe(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

/** Returns whether to use the phone layout, for components that change their order and not only their style. */
export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);

import { Button } from "../parts/button.tsx";
import { setTheme, type Theme, useTheme } from "./theme.ts";

const NEXT: Readonly<Record<Theme, Theme>> = { auto: "light", light: "dark", dark: "auto" };
const SIGN: Readonly<Record<Theme, string>> = { auto: "◐", light: "☼", dark: "☾" };

export function ThemeButton() {
  const theme = useTheme();
  return (
    <button
      type="button"
      className="help-button"
      aria-label={`Theme: ${theme}; switch to ${NEXT[theme]}`}
      onClick={() => setTheme(NEXT[theme])}
    >
      {SIGN[theme]}
    </button>
  );
}

/** The notification switch: its state, and a function that toggles it. */
export type NotificationSetting = readonly [boolean, () => void];

export function NotificationSwitch({ notices: [on, toggle] }: { readonly notices: NotificationSetting }) {
  return (
    <p>
      <Button onPress={toggle}>{on ? "Disable desktop notifications" : "Enable desktop notifications"}</Button>{" "}
      <span className="quiet-text">Notifies you of new questions while this page is open.</span>
    </p>
  );
}

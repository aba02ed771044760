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

/** Whether notices are on, and what switches them. */
export type Notices = readonly [boolean, () => void];

export function NoticesSwitch({ notices: [on, toggle] }: { readonly notices: Notices }) {
  return (
    <p>
      <Button onPress={toggle}>{on ? "Switch desktop notices off" : "Switch desktop notices on"}</Button>{" "}
      <span className="quiet-text">When something newly needs you, and this page is open.</span>
    </p>
  );
}

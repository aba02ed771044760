import { useEffect, useRef, useState } from "react";
import { useStore } from "../data/hooks.ts";
import { navigate } from "./router.tsx";
import type { NotificationSetting } from "./settings.tsx";

const STORAGE_KEY = "signalbox.notices";

/**
 * Notifications are off until the user enables them, because browsers permanently block pages that ask for permission
 * unprompted.
 */
export function useNotices(): NotificationSetting {
  const [on, setOn] = useState(
    () => localStorage.getItem(STORAGE_KEY) === "on" && Notification.permission === "granted",
  );
  const questions = useStore((store) => store.home.value?.needs);
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!questions) return;
    const before = known.current;
    known.current = new Set(questions.map(({ id }) => id));
    if (!on || before === null) return;
    for (const { id, title, request } of questions) if (!before.has(id)) showNotification({ id, title, body: request });
  }, [questions, on]);
  const toggle = async (): Promise<void> => {
    const next = !on && (await Notification.requestPermission()) === "granted";
    localStorage.setItem(STORAGE_KEY, next ? "on" : "off");
    setOn(next);
  };
  return [on, () => void toggle()];
}

function showNotification({
  id,
  title,
  body,
}: {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}): void {
  const notice = new Notification(title, { body, tag: id, icon: "/icon.svg" });
  notice.onclick = () => {
    window.focus();
    navigate(`/q/${encodeURIComponent(id)}`);
  };
}

/** Formats a duration: `840ms`, `12.4s`, `2m 08s`, `1h 04m`. */
export function formatDuration(ms: number): string {
  if (ms < 950) return `${Math.max(0, Math.round(ms))}ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours}h ${pad(minutes)}m` : `${minutes}m ${pad(whole % 60)}s`;
}

/** Formats the elapsed time of a run: `0:04`, `31:44`, `1:02:09`. */
export function formatClock(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

export function formatAge(ms: number): string {
  if (ms < 60_000) return "just now";
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m ago`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)}h ago`;
  return `${Math.floor(ms / 86_400_000)}d ago`;
}

const pad = (value: number): string => String(value).padStart(2, "0");

/** Formats a local time: `15:04`, or `Nov 18 15:04` on another day. */
export function formatTime(ms: number, now: number): string {
  const at = new Date(ms);
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}`;
  if (at.toDateString() === new Date(now).toDateString()) return time;
  return `${at.toLocaleDateString("en-US", { month: "short", day: "numeric" })} ${time}`;
}

/** Formats a local time with seconds. */
export function formatTimeWithSeconds(ms: number, now: number): string {
  return `${formatTime(ms, now)}:${pad(new Date(ms).getSeconds())}`;
}

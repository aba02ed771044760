/** Formats a running time in whole seconds: `4s`, `2m 08s`, `1h 04m`. */
export function formatSeconds(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours}h ${pad(minutes)}m`;
  return minutes > 0 ? `${minutes}m ${pad(whole % 60)}s` : `${whole}s`;
}

const pad = (value: number): string => String(value).padStart(2, "0");

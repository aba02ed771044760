const SECRET_NAMES = /(TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)/i;
/** Shorter values would also be ordinary words. */
const SHORTEST = 8;

/** Takes the values of this environment's secrets out of a text, by value: whatever surrounds them. */
export function redactor(env: NodeJS.ProcessEnv): (text: string) => string {
  const secrets = Object.entries(env)
    .flatMap(([name, value]) => (value && value.length >= SHORTEST && SECRET_NAMES.test(name) ? [{ name, value }] : []))
    // A secret that contains another one goes first.
    .sort((a, b) => b.value.length - a.value.length);
  return (text) => secrets.reduce((clean, { name, value }) => clean.replaceAll(value, `[${name}]`), text);
}

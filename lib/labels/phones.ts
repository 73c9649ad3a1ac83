/** How phones treat an announced address (`docs/spec/phones.md` Q6). */
export const phonesAskByHttps = "Phones ask by HTTPS on this port, whatever is announced";

/** Whether the server announces plain HTTP to phones. Only its own machine can reach a loopback address. */
export function announcesPlainHttp(publicBaseUrl: string): boolean {
  const { protocol, hostname } = new URL(publicBaseUrl);
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** The effect on names from `garbledNames` (Q5). */
export const garbledNameNote =
  "Android phones garble this name on its way to the server, so a vehicle with this app sends a request that is not valid JSON. " +
  "This server still finds the app ids and answers, but without “enabled” and “auth_token”. You can approve the app.";

/** The names that the SDL library for Android breaks: it drops every backslash, and so the escapes of quotes. */
export function garbledNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => /["\\]/.test(name));
}

/** The note about garbled names, for people who decide about many apps; empty without such names. */
export function noteGarbledNames(names: readonly string[]): string[] {
  const garbled = garbledNames(names);
  return garbled.length === 0 ? [] : [`${garbled.join(", ")}: ${garbledNameNote}`];
}

/** The note on saving a module config about the address for phones (Q6); empty if phones can use it. */
export function notePlainHttp(publicBaseUrl: string): string[] {
  return announcesPlainHttp(publicBaseUrl)
    ? [`Vehicles are given the address ${publicBaseUrl}. ${phonesAskByHttps}`]
    : [];
}

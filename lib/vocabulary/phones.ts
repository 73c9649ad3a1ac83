/** `docs/spec/phones.md` Q6 */
export const phonesAskByHttps = "Phones ask by HTTPS on this port, whatever is announced";

/** Only the server's own machine can reach a loopback address. */
export function announcesPlainHttp(publicBaseUrl: string): boolean {
  const { protocol, hostname } = new URL(publicBaseUrl);
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

export const garbledNameNote =
  "Android phones garble this name on its way to the server, so a vehicle with this app sends a request that is not valid JSON. " +
  "This server still finds the app ids and answers, but without “enabled” and “auth_token”. You can approve the app.";

/** The SDL library for Android drops every backslash, and so the escapes of quotes (Q5). */
export function garbledNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => /["\\]/.test(name));
}

export function noteGarbledNames(names: readonly string[]): string[] {
  const garbled = garbledNames(names);
  return garbled.length === 0 ? [] : [`${garbled.join(", ")}: ${garbledNameNote}`];
}

/** For saving a module config (Q6); empty if phones can use the address. */
export function notePlainHttp(publicBaseUrl: string): string[] {
  return announcesPlainHttp(publicBaseUrl)
    ? [`Vehicles are given the address ${publicBaseUrl}. ${phonesAskByHttps}`]
    : [];
}
